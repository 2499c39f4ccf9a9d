// Opens a store as a user without the right to write it, and tries to write.
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface PermissionArguments {
  readonly store: string
}

export interface PermissionLine {
  readonly outcome: string
  readonly message: string
}

const { store } = childArguments<PermissionArguments>()
try {
  await using memory = await openMemory({ store, upkeep: 'manual' })
  await memory.for('ada').append('session', { role: 'user', content: 'The kiosk opens on the 16th.' })
  say({ outcome: 'ok', message: '' } satisfies PermissionLine)
} catch (error) {
  say({ outcome: codeOf(error), message: String(error) } satisfies PermissionLine)
}

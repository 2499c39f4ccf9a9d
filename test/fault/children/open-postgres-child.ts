// Opens a store as soon as a file exists, appends once, and tells how that ended.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface OpenPostgresArguments {
  readonly store: string
  readonly name: string
  readonly start: string
}

export type OpenPostgresLine = { readonly type: 'waits' } | { readonly type: 'done'; readonly error?: string }

const { store, name, start } = childArguments<OpenPostgresArguments>()
say({ type: 'waits' } satisfies OpenPostgresLine)
while (!existsSync(start)) await sleep(2)
try {
  await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
  await memory.for('ada').append('talk', { role: 'user', content: `The tern ${name} came back.` })
  say({ type: 'done' } satisfies OpenPostgresLine)
} catch (error) {
  say({ type: 'done', error: codeOf(error) } satisfies OpenPostgresLine)
}

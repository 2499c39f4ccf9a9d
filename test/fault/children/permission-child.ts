// Opens a store as a user without the right to write it, reads what there is, and tries to write.
import { renameSync } from 'node:fs'
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface PermissionArguments {
  readonly store: string
  readonly engine: 'threads' | 'inline'
  /** True: moves the store away, reads, puts it back, and reads again. Its folder may be written. */
  readonly isMoved?: boolean
}

export interface PermissionLine {
  /** The code of the error at opening; `ok` when the store was opened. */
  readonly outcome: string
  readonly message: string
  readonly read?: {
    readonly messages: number
    readonly found: string | undefined
    readonly context: boolean
    readonly degraded: readonly string[]
    /** The codes of what each write was answered with. */
    readonly writes: readonly string[]
    readonly warnings: readonly string[]
    /** The codes of the reads of a store that was moved away, and then put back. */
    readonly moved: readonly string[]
  }
}

const { store, engine, isMoved = false } = childArguments<PermissionArguments>()
const warnings: string[] = []

async function codeAfter(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    return codeOf(error)
  }
}

try {
  await using memory = await openMemory({ store, engine, embeddingModel: false, logger: { warn: (warning) => warnings.push(warning) } })
  const ada = memory.for('ada')
  const { hits, degraded } = await ada.recall('when does the kiosk open?', { limit: 1 })
  const { text } = await ada.context({ session: 'talk', query: 'the kiosk', maxTokens: 300 })
  const writes = [
    await codeAfter(ada.append('talk', { role: 'user', content: 'The kiosk opens on the 16th.' })),
    await codeAfter(ada.forget({ session: 'talk' })),
    await codeAfter(memory.project('default').settings.set({ timeZone: 'Europe/Berlin' })),
  ]
  const messages = await ada.messages('talk')
  const moved: string[] = []
  if (isMoved) {
    renameSync(store, `${store}.away`)
    moved.push(await codeAfter(ada.messages('talk')))
    renameSync(`${store}.away`, store)
    moved.push(await codeAfter(ada.messages('talk')))
  }
  const read = { messages: messages.length, found: hits[0]?.text, context: text.includes('kiosk'), degraded, writes, warnings, moved }
  say({ outcome: 'ok', message: '', read } satisfies PermissionLine)
} catch (error) {
  say({ outcome: codeOf(error), message: String(error) } satisfies PermissionLine)
}

// Appends lines to a document and to the notes of a session that others write as well. Each line is based on the
// revision that it read. Ends after a number of lines, or when it is killed.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { StaleRevision } from '../../../packages/varve/src/errors/stale-revision.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface PageArguments {
  readonly store: string
  readonly name: string
  readonly edits: number
  /** It begins when this file exists. */
  readonly start: string
  /** The time that the clock is ahead of the system's, in milliseconds: leases of killed processes ran out. */
  readonly aheadMs: number
}

export type PageLine =
  | { readonly type: 'opened' }
  | { readonly type: 'edited' | 'noted'; readonly line: string }
  | { readonly type: 'updated'; readonly upTo: number }
  | { readonly type: 'done'; readonly stale: number; readonly errors: readonly string[] }

const { store, name, edits, start, aheadMs } = childArguments<PageArguments>()
const errors: string[] = []
let stale = 0
await using memory = await openMemory({ store, upkeep: 'manual', clock: { now: () => Date.now() + aheadMs } })
const ada = memory.for('ada')
say({ type: 'opened' } satisfies PageLine)
while (!existsSync(start)) await sleep(5)
for (let at = 0; at < edits; at += 1) {
  const line = `- ${name}-${at}`
  await again(async () => {
    const { revision = 0 } = (await ada.documents.read('ledger')) ?? {}
    await ada.documents.edit('ledger', [{ tool: 'append', text: line }], { revision, maxChars: 200_000 })
  })
  say({ type: 'edited', line } satisfies PageLine)
  await again(async () => {
    const { content = '# Mine', revision = 0 } = (await ada.notes.get('talk')) ?? {}
    await ada.notes.edit('talk', `${content}\n${line}`, { revision })
  })
  say({ type: 'noted', line } satisfies PageLine)
  if (at % 5 === 4) {
    await ada.append('talk', { role: 'user', content: `The ledger of ${name} has ${at} lines.` })
    await again(async () => say({ type: 'updated', upTo: (await ada.notes.update('talk')).upTo } satisfies PageLine))
  }
}
say({ type: 'done', stale, errors } satisfies PageLine)

/** Repeats a write that was refused because another process wrote meanwhile. */
async function again(write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await write()
      return
    } catch (error) {
      if (error instanceof StaleRevision) stale += 1
      else return void errors.push(codeOf(error))
    }
  }
}

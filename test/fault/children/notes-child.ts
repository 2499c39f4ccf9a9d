// Talks in one session and has its notes updated by hand, round after round, until it is done or killed. Others may do
// the same on the same file.
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { steps } from '../../fixtures/notes/steps.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface NotesArguments {
  readonly store: string
  readonly root: string
  readonly name: string
  readonly rounds: number
  /** The time that the clock is ahead of the system's, in milliseconds: leases of killed processes ran out. */
  readonly aheadMs: number
}

export type NotesLine =
  | { readonly type: 'opened' | 'done' }
  | { readonly type: 'updated'; readonly revision: number; readonly upTo: number }
  | { readonly type: 'failed'; readonly code: string }

const { store, root, name, rounds, aheadMs } = childArguments<NotesArguments>()
await using memory = await openMemory({
  store,
  upkeep: 'manual',
  layers: { gists: false, facts: false, notes: true },
  notesDirectory: root,
  clock: { now: () => Date.now() + aheadMs },
  logger: { warn: () => undefined },
})
say({ type: 'opened' } satisfies NotesLine)
try {
  const ada = memory.for('ada')
  for (let round = 1; round <= rounds; round += 1) {
    await ada.append('monday', steps(name, 1, round))
    const { revision, upTo } = await ada.notes.update('monday')
    say({ type: 'updated', revision, upTo } satisfies NotesLine)
  }
  say({ type: 'done' } satisfies NotesLine)
} catch (error) {
  say({ type: 'failed', code: codeOf(error) } satisfies NotesLine)
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { settled, talk } from '../fixtures/distil/talk.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const deed = fc.record({
  do: fc.constantFrom('pin', 'correct', 'delete', 'clear', 'gist', 'retract', 'withdraw'),
  at: fc.nat(3),
  word: fc.constantFrom('tern', 'gull', 'swan'),
})

test('whatever a person changed by hand, each change taken back from the last on gives exactly the state before it', async () => {
  const clock = new ManualClock(Date.parse('2026-01-05T09:00:00Z'))
  const memory = await openForTest({
    clock,
    embeddingModel: false,
    languageModel: false,
    layers: { gists: true, bank: true },
    isolation: 'silent',
  })
  let users = 0
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 6 }), async (deeds) => {
      users += 1
      const ada = memory.for(`ada ${users}`)
      for (const name of ['one', 'two', 'three', 'four']) await ada.append(name, talk(name, 2))
      const home = await ada.facts.add({ predicate: 'lives in', object: 'Oslo' })
      const asked = await ada.instructions.add('Keep answers short.')
      clock.advance(settled)
      await memory.upkeep.run()
      const state = async () => ({
        // What was taken back has another version: an edit on the one before is refused all the same.
        entries: (await ada.bank.entries()).map(withoutVersion).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        render: (await ada.bank.render()).text,
        gists: (await ada.gists.list()).map(withoutVersion).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        facts: (await ada.facts.list()).map(withoutVersion),
        instructions: (await ada.instructions.list()).map(withoutVersion),
        hits: (await ada.recall('barge', { limit: 100, kinds: ['bank', 'gist'] })).hits.map(({ id, text }) => `${id} ${text}`).toSorted(),
      })
      const undo: (readonly [before: Awaited<ReturnType<typeof state>>, back: () => Promise<unknown>])[] = []
      for (const { do: what, at, word } of deeds) {
        const before = await state()
        const [entry, gist] = [before.entries[at], before.gists[at]]
        const last = async (): Promise<string> => (await ada.bank.history())[0]?.id ?? ''
        // A clear of an empty bank takes nothing away.
        if (what === 'clear' && before.entries.length > 0)
          undo.push([
            before,
            (
              (id) => () =>
                ada.bank.restore(id)
            )((await ada.bank.clear()).id),
          ])
        else if (what === 'retract' && before.facts.length > 0) {
          await ada.facts.retract(home.id)
          undo.push([before, () => ada.facts.restore(home.id)])
        } else if (what === 'withdraw' && before.instructions.length > 0) {
          await ada.instructions.withdraw(asked.id)
          undo.push([before, () => ada.instructions.restore(asked.id)])
        } else if (what === 'gist' && gist !== undefined && gist.text !== `Mira keeps the ${word}.`) {
          // The same words again are no change.
          await ada.gists.write(gist.session, `Mira keeps the ${word}.`)
          const revision = (await ada.gists.revisions(gist.session))[1]?.revision ?? 0
          undo.push([before, () => ada.gists.restore(gist.session, revision)])
        } else if (entry !== undefined && (what === 'pin' || what === 'correct' || what === 'delete')) {
          if (what === 'pin') await ada.bank.pin(entry.id, !entry.pinned)
          if (what === 'correct') await ada.bank.correct(entry.id, `Mira keeps the ${word}.`)
          const id = what === 'delete' ? (await ada.bank.delete(entry.id)).id : await last()
          undo.push([before, () => ada.bank.restore(id)])
        }
        clock.advance(1)
      }
      for (const [before, back] of undo.toReversed()) {
        await back()
        expect(await state()).toEqual(before)
      }
    }),
    { numRuns: runs(30) },
  )
})

import { expect, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const monday = Date.UTC(2026, 0, 5, 10)
const weeks = 7 * 24 * 60 * 60 * 1_000

type Told = readonly [said: string, then: string, holds: readonly string[]]

/** Gives the facts that hold after each of two talks six weeks apart, of one person each, read without a model. */
async function heldAfter(told: readonly Told[]): Promise<Told[]> {
  const memory = await openForTest({
    clock: new ManualClock(monday + 7 * weeks),
    embeddingModel: false,
    languageModel: false,
    isolation: 'silent',
    layers: { facts: true, gists: false },
  })
  const found: Told[] = []
  for (const [place, [said, then]] of told.entries()) {
    const somebody = memory.for(`somebody ${place}`)
    for (const [session, content, at] of [
      ['winter', said, monday],
      ['spring', then, monday + 6 * weeks],
    ] as const) {
      await somebody.append(session, [
        { role: 'user', content, at },
        { role: 'assistant', content: 'Noted.', at },
      ])
      await somebody.distil(session)
    }
    found.push([
      said,
      then,
      (await somebody.facts.query({}))
        .map(({ subject, predicate, object }) => `${subject.replace(/^somebody.*/u, 'I')} ${predicate} ${object}`)
        .toSorted(),
    ])
  }
  return found
}

const updated: readonly Told[] = [
  ["I'm allergic to walnuts.", "The tests are back. I'm not allergic to walnuts.", []],
  ['I live in Tromsø.', "I don't live in Tromsø, I live in Bodø.", ['I lives in Bodø']],
  ['I work at Zolltek.', 'I quit.', []],
  ['I work at the harbour hospital.', 'Big news: I quit the hospital.', []],
  ['I work at Zolltek.', 'I got laid off last week.', []],
  ['My husband is Pelle.', 'Pelle and I are splitting up.', []],
  ['My girlfriend is Runa.', 'We broke up.', []],
  ['My husband Pelle loves squid.', 'My ex-husband Pelle loves squid.', ['Pelle likes squid']],
  ['My dog is called Bosun.', 'Bosun died on Sunday.', []],
  ['My boss is Gro.', 'My boss is Tom now.', ['I boss Tom']],
  ['I love coffee.', "I'm off coffee.", []],
  ['I love fencing.', 'I gave up fencing, no time.', []],
  ['We decided to use Foxglove.', 'We dropped Foxglove.', []],
  ['The spare key is kept under the mat.', 'I moved the spare key to the shed.', ['spare key is kept in the shed']],
  ['My daughter Jule is allergic to eggs.', "Jule isn't allergic to eggs anymore!", ['I child Jule']],
  ['My friend Iver lives in Tampere.', 'I was wrong about Iver, he lives in Turku not Tampere.', ['I knows Iver', 'Iver lives in Turku']],
]

const kept: readonly Told[] = [
  ['I live in Tromsø.', "I don't live in Tromsø because of the weather.", ['I lives in Tromsø']],
  ['I speak Danish.', "I don't speak Danish very well.", ['I speaks Danish']],
  ['I work at Zolltek.', 'I quit the game and left the stove on.', ['I works at Zolltek']],
  ['My husband is Pelle.', 'My brother and I split up the money. Pelle left me a note.', ['I married to Pelle']],
  ['I love coffee.', 'I might give up coffee.', ['I likes coffee']],
]

test('told in two talks, what was known gives way', async () => {
  expect(await heldAfter(updated)).toEqual(updated)
})

test('what only looks like an end leaves what was known', async () => {
  expect(await heldAfter(kept)).toEqual(kept)
})

test('a job that is left on a day to come is held until then', async () => {
  const clock = new ManualClock(monday)
  const memory = await openForTest({ clock, embeddingModel: false, languageModel: false, isolation: 'silent' })
  const ada = memory.for('ada')
  await ada.append('winter', { role: 'user', content: 'I work at Zolltek.', at: monday - weeks })
  await ada.distil('winter')
  await ada.append('spring', { role: 'user', content: 'My last day at Zolltek is 31 March.', at: monday })
  await ada.distil('spring')
  expect(await ada.facts.query({ predicate: 'works at' })).toMatchObject([{ object: 'Zolltek', validUntil: Date.UTC(2026, 2, 31) }])
  expect(await ada.facts.query({ predicate: 'works at', validAt: '2026-04-01' })).toEqual([])
})

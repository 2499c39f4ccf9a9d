import { expect, test } from 'vitest'
import { casual } from '../../../../../../test/fixtures/facts/casual.ts'
import { kinds } from '../../../../../../test/fixtures/facts/kinds.ts'
import { type Case, type Label, reporting, working } from '../../../../../../test/fixtures/facts/sentences.ts'
import { updates } from '../../../../../../test/fixtures/facts/updates.ts'
import { statedFacts } from '../stated-facts.ts'

function found(text: string): Label[] {
  return statedFacts([{ seq: 1, role: 'user', origin: 'person', at: 0, text }]).map(
    ({ says, subject, predicate, object, when, until, instead }) => ({
      says,
      subject,
      predicate,
      object,
      ...(when === undefined ? {} : { when }),
      ...(until === undefined ? {} : { until }),
      ...(instead === undefined ? {} : { instead }),
    }),
  )
}

const key = ({ says, subject, predicate, object, when, until, instead }: Label): string =>
  JSON.stringify([says, subject, predicate, object, when, until, instead])

function measured(cases: readonly Case[]): { precision: number; recall: number; misses: string[] } {
  const misses: string[] = []
  let [right, given, wanted] = [0, 0, 0]
  for (const [kind, text, ...expected] of cases) {
    const labels = new Set(expected.map(key))
    const facts = new Set(found(text).map(key))
    given += facts.size
    wanted += labels.size
    right += [...facts].filter((fact) => labels.has(fact)).length
    misses.push(
      ...[...facts].filter((fact) => !labels.has(fact)).map((fact) => `${kind}: ${text} → too much ${fact}`),
      ...[...labels].filter((label) => !facts.has(label)).map((label) => `${kind}: ${text} → missed ${label}`),
    )
  }
  return { precision: right / given, recall: right / wanted, misses }
}

test.each([
  ['working', working, 0.97],
  ['reporting', reporting, 0.97],
] as const)('what is stated is read, and traps are not: the %s half', (half, cases, leastRecall) => {
  const { precision, recall, misses } = measured(cases)
  process.stdout.write(
    `facts, ${half} half: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} over ${cases.length} messages\n`,
  )
  expect(precision, misses.join('\n')).toBeGreaterThanOrEqual(0.95)
  expect(recall, misses.join('\n')).toBeGreaterThanOrEqual(leastRecall)
})

test.each([
  ['casual', casual],
  ['kinds', kinds],
  ['what ends, denies or corrects', updates],
] as const)('every message is read as it is labelled: %s', (_, cases) => {
  expect(measured(cases).misses).toEqual([])
})

test('at least half of the messages are traps, and no message stands twice', () => {
  const all = [...working, ...reporting]
  expect(all.filter(([kind]) => kind.startsWith('trap: ')).length).toBeGreaterThanOrEqual(all.length / 2)
  expect(all.filter(([kind, , ...expected]) => kind.startsWith('trap: ') !== (expected.length === 0))).toEqual([])
  expect(new Set(all.map(([, text]) => text)).size).toBe(all.length)
})

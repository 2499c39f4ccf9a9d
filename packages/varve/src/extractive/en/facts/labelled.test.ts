import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SourceMessage, StatedFact } from '../../../models/writer.ts'
import type { Case, Label } from '../../facts/label.sentences.ts'
import { statedFacts } from '../stated-facts.ts'
import { exact } from './all.sentences.ts'
import { reporting, working } from './plain.sentences.ts'
import { shortCorrectionSentences } from './short-corrections.sentences.ts'

/** Makes a message of a talk. An assistant's text begins with `A: `. */
function messageOf(text: string, at: number): SourceMessage {
  return text.startsWith('A: ')
    ? { seq: at + 1, at, role: 'assistant', origin: 'assistant', text: text.slice(3) }
    : { seq: at + 1, at, role: 'user', origin: 'person', text }
}

function labelOf({ says, subject, predicate, object, when, until, instead }: StatedFact): Label {
  return {
    says,
    subject,
    predicate,
    object,
    ...(when === undefined ? {} : { when }),
    ...(until === undefined ? {} : { until }),
    ...(instead === undefined ? {} : { instead }),
  }
}

const key = ({ says, subject, predicate, object, when, until, instead }: Label): string =>
  JSON.stringify([says, subject, predicate, object, when, until, instead])

function measured(cases: readonly Case[]): { precision: number; recall: number; misses: string[] } {
  const misses: string[] = []
  let [right, given, wanted] = [0, 0, 0]
  for (const [kind, text, ...expected] of cases) {
    const labels = new Set(expected.map(key))
    const facts = new Set(
      statedFacts([messageOf(text, 0)])
        .map(labelOf)
        .map(key),
    )
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

test.each(Object.entries(exact))('every message is read as it is labelled: %s', (_, cases) => {
  expect(measured(cases).misses).toEqual([])
})

test.each(shortCorrectionSentences.map(([said, ...expected]) => ({ said, expected })))(
  'the last message corrects what was said before: $said',
  ({ said, expected }) => {
    const facts = statedFacts(said.map(messageOf)).filter(({ seq }) => seq === said.length)
    expect(facts.map(labelOf).map(key)).toEqual(expected.map(key))
  },
)

test('every file of labelled sentences is in the list', () => {
  const files = globSync('**/*.sentences.ts', { cwd: import.meta.dirname }).map((path) => path.replace('.sentences.ts', ''))
  expect([...Object.keys(exact), 'all', 'plain', 'short-corrections'].toSorted()).toEqual(files.toSorted())
})

test('at least half of the messages are traps, and no message stands twice', () => {
  const all = [...working, ...reporting]
  expect(all.filter(([kind]) => kind.startsWith('trap: ')).length).toBeGreaterThanOrEqual(all.length / 2)
  expect(all.filter(([kind, , ...expected]) => kind.startsWith('trap: ') !== (expected.length === 0))).toEqual([])
  expect(new Set(all.map(([, text]) => text)).size).toBe(all.length)
})

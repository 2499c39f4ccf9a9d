import { expect, test } from 'vitest'
import type { StatedFact } from '../../../models/writer.ts'
import type { Case, Label } from '../../facts/label.sentences.ts'
import { statedFacts } from '../stated-facts.ts'
import { droppingSentences } from './dropping.sentences.ts'
import { forgettingSentences } from './forgetting.sentences.ts'
import { leadsSentences } from './leads.sentences.ts'

const key = ({ says, subject, predicate, object, when, until, instead }: Label | StatedFact): string =>
  JSON.stringify([says, subject, predicate, object, when, until, instead])

function read(text: string): Set<string> {
  return new Set(statedFacts([{ seq: 1, at: 0, role: 'user', origin: 'person', text }]).map(key))
}

const all: readonly (readonly [name: string, cases: readonly Case[], leastPrecision: number, leastRecall: number])[] = [
  ['leads', leadsSentences, 0.9, 0.98],
  ['forgetting', forgettingSentences, 0.98, 0.98],
  ['dropping', droppingSentences, 0.82, 0.93],
]

test.each(all)('commands are read, and traps are not: %s', (name, cases, leastPrecision, leastRecall) => {
  const misses: string[] = []
  let [right, given, wanted] = [0, 0, 0]
  for (const [kind, text, ...expected] of cases) {
    const [facts, labels] = [read(text), new Set(expected.map(key))]
    given += facts.size
    wanted += labels.size
    right += [...facts].filter((fact) => labels.has(fact)).length
    misses.push(
      ...[...facts].filter((fact) => !labels.has(fact)).map((fact) => `${kind}: ${text} → too much ${fact}`),
      ...[...labels].filter((label) => !facts.has(label)).map((label) => `${kind}: ${text} → missed ${label}`),
    )
  }
  const [precision, recall] = [right / given, right / wanted]
  process.stdout.write(`commands, ${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} over ${cases.length} messages\n`)
  expect(precision, misses.join('\n')).toBeGreaterThanOrEqual(leastPrecision)
  expect(recall, misses.join('\n')).toBeGreaterThanOrEqual(leastRecall)
})

test('a third of the messages are traps, and no message stands twice', () => {
  const cases = all.flatMap(([, some]) => some)
  expect(cases.filter(([kind]) => kind.startsWith('trap: ')).length).toBeGreaterThanOrEqual(cases.length / 3)
  expect(new Set(cases.map(([, text]) => text)).size).toBe(cases.length)
})

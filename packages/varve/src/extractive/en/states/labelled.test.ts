import { expect, test } from 'vitest'
import type { StatedFact } from '../../../models/writer.ts'
import type { Label } from '../../facts/label.sentences.ts'
import { statedFacts } from '../stated-facts.ts'
import { statesSentences } from './states.sentences.ts'

const key = ({ says, subject, predicate, object, when, until }: Label | StatedFact): string =>
  JSON.stringify([says, subject, predicate, object, when, until])

test('states in common frames are read, and traps are not', () => {
  const misses: string[] = []
  let [right, given, wanted] = [0, 0, 0]
  for (const [kind, text, ...expected] of statesSentences) {
    const facts = new Set(statedFacts([{ seq: 1, at: 0, role: 'user', origin: 'person', text }]).map(key))
    const labels = new Set(expected.map(key))
    given += facts.size
    wanted += labels.size
    right += [...facts].filter((fact) => labels.has(fact)).length
    misses.push(
      ...[...facts].filter((fact) => !labels.has(fact)).map((fact) => `${kind}: ${text} → too much ${fact}`),
      ...[...labels].filter((label) => !facts.has(label)).map((label) => `${kind}: ${text} → missed ${label}`),
    )
  }
  const [precision, recall] = [right / given, right / wanted]
  process.stdout.write(`states: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} over ${statesSentences.length} messages\n`)
  expect(precision, misses.join('\n')).toBeGreaterThanOrEqual(0.95)
  expect(recall, misses.join('\n')).toBeGreaterThanOrEqual(0.95)
})

test('more than half of the messages are traps, and no message stands twice', () => {
  expect(statesSentences.length).toBeGreaterThanOrEqual(200)
  expect(statesSentences.filter(([kind]) => kind.startsWith('trap: ')).length).toBeGreaterThanOrEqual(120)
  expect(new Set(statesSentences.map(([, text]) => text)).size).toBe(statesSentences.length)
})

import { expect, test } from 'vitest'
import type { MessageInput, UserMemory } from '../../packages/varve/src/index.ts'
import { toldHit } from '../../packages/varve/src/operations/tools/told-hit.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false })

const stated = 'I live in Passau now.'
const talk: readonly MessageInput[] = [
  { role: 'user', content: stated, at: '2026-05-01T09:00:00Z' },
  { role: 'assistant', content: 'Enjoy the three rivers!', at: '2026-05-01T09:00:05Z' },
]

/** Words in the user's place that no person said: a request to a subagent, and the output of a command. */
const unsaid: readonly (readonly ['assistant' | 'tool', MessageInput])[] = [
  ['assistant', { role: 'user', origin: 'assistant', thread: 'agent-1', content: 'Search flaky tests. I live in Timbuktu.' }],
  ['tool', { role: 'user', origin: 'tool', content: 'I live in Timbuktu now.' }],
]

async function found(user: UserMemory, question: string) {
  const { hits } = await user.recall(question)
  return hits.flatMap((hit) => (hit.kind === 'message' ? hit : []))
}

// requirement: P4.1
test.each(unsaid)('words of the origin %s in the user’s place are not the user’s own', async (origin, message) => {
  const user = shared.user()
  await user.append('s1', [...talk, { ...message, at: '2026-05-02T09:00:00Z' }])
  const hits = await found(user, 'Where do I live?')
  expect(hits.slice(0, 2).map(({ text }) => text)).toEqual([stated, message.content])
  const [own, other] = hits
  expect(own?.signals.map(({ text }) => text)).toContain('said by the user, who asks')
  expect(hits.flatMap(({ signals }) => signals).filter(({ name }) => name === 'state')).toEqual([])
  expect(other?.signals.filter(({ name }) => name === 'person')).toEqual([])
  expect(hits.slice(0, 2).map((hit) => [hit.role, hit.origin, toldHit(hit).by])).toEqual([
    ['user', 'person', 'user'],
    ['user', origin, origin],
  ])
})

test.each(['assistant', 'tool'] as const)('words of the origin %s take the place of nothing that the user said', async (origin) => {
  const [own, later] = ['The heron key is in the blue jar.', 'The heron key is in the red jar.']
  const user = shared.user()
  await user.append('s1', [...talk, { role: 'user', content: own, at: '2026-05-01T09:01:00Z' }])
  await user.append('s1', { role: 'user', origin, content: later, at: '2026-05-02T09:00:00Z' })
  const hits = await found(user, 'Where is the heron key?')
  expect(hits.slice(0, 2).map(({ text }) => text)).toEqual([own, later])
  expect(hits[1]?.score).toBeGreaterThan(0.5 * (hits[0]?.score ?? 1))
  expect(hits.flatMap(({ signals }) => signals).filter(({ name }) => name === 'state')).toEqual([])
})

test('words of an assistant’s origin count as an assistant’s where a question is about these', async () => {
  const user = shared.user()
  await user.append('s1', [...talk, { role: 'user', origin: 'assistant', content: 'Search the ferry timetable of Passau.' }])
  const hits = await found(user, 'What did you say about the ferry timetable?')
  expect(hits[0]?.signals.map(({ text }) => text)).toContain('said by the assistant, who is asked')
})

// requirement: P4.1
test('an import keeps whose words a message has', async () => {
  const [, message] = unsaid[1] ?? []
  const from = shared.user()
  await from.append('s1', [...talk, { ...message, role: 'user', at: '2026-05-02T09:00:00Z' }])
  const lines = await Array.fromAsync(from.export())
  const other = await openForTest({ embeddingModel: false, languageModel: false })
  await other.for('ada').import(lines, { accept: true })
  const hits = await found(other.for('ada'), 'Where do I live?')
  expect(hits.slice(0, 2).map(({ text, origin, signals }) => [text, origin, signals.some(({ name }) => name === 'person')])).toEqual([
    [stated, 'person', true],
    ['I live in Timbuktu now.', 'tool', false],
  ])
})

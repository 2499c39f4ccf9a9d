import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const options = { embeddingModel: false, layers: { gists: true, facts: false, bank: true } } as const

/** Two and more pages of most kinds: a page has 50 sessions, 500 rows of most kinds, 200 receipts, 1,000 forgotten ids. */
const many = { sessions: 120, facts: 1_050, forgotten: 1_050, receipts: 205, names: 20 }

async function filled(ada: UserMemory): Promise<void> {
  for (let at = 0; at < many.sessions; at += 1) {
    await ada.sessions.ensure(`s${at}`, { name: `Session ${at}` })
    await ada.append(
      `s${at}`,
      Array.from({ length: 5 }, (_, place) => ({
        role: 'user' as const,
        content: `We agreed that ferry ${at} leaves at ${place} o'clock.`,
      })),
    )
  }
  for (let at = 0; at < many.facts; at += 1) await ada.facts.add({ subject: `Boat ${at}`, predicate: 'likes', object: `port ${at}` })
  for (let at = 0; at < many.names; at += 1) await ada.facts.merge(`Boat ${at}`, `Ship ${at}`)
  const { messages } = await ada.append(
    'gone',
    Array.from({ length: many.forgotten }, (_, at) => ({ role: 'user' as const, content: `Forget gull ${at}.`, id: `g${at}` })),
  )
  const ids = messages.map(({ id }) => id)
  for (const id of ids.slice(0, many.receipts - 1)) await ada.forget({ messages: [id] })
  await ada.forget({ messages: ids.slice(many.receipts - 1) })
}

async function answers(ada: UserMemory): Promise<unknown> {
  const whole = { limit: 10_000 }
  return {
    sessions: (await ada.sessions.list(whole)).map(({ id, name, messages }) => [id, name, messages]).toSorted(),
    gists: (await ada.gists.list(whole)).map(({ session, text }) => [session, text]).toSorted(),
    entries: (await ada.bank.entries(whole)).map(({ id, bullets }) => [id, bullets]).toSorted(),
    facts: (await ada.facts.list(whole)).map(({ id, object }) => [id, object]).toSorted(),
    hits: (await ada.recall('when does ferry 99 leave?', { limit: 50 })).hits.map(({ id, score }) => [id, score]),
  }
}

test('a memory of many pages of each kind is exported whole, and answers as before where it is imported', async () => {
  const [memory, other] = [await openForTest(options), await openForTest(options)]
  const [ada, there] = [memory.for('ada'), other.for('ada')]
  await filled(ada)
  await memory.upkeep.run({ all: true })
  const lines = await Array.fromAsync(ada.export())
  const kinds = Object.groupBy(
    lines.map((line): { kind?: string; digests?: readonly string[] } => JSON.parse(line)),
    ({ kind }) => kind ?? 'seal',
  )
  // The session of the forgotten messages stands, and is empty.
  expect(kinds['session']).toHaveLength(many.sessions + 1)
  expect(kinds['reading']).toHaveLength(many.sessions + 1)
  expect(kinds['message']).toHaveLength(many.sessions * 5)
  expect(kinds['fact']).toHaveLength(many.facts)
  expect(kinds['receipt']).toHaveLength(many.receipts)
  expect((kinds['forgotten'] ?? []).flatMap(({ digests = [] }) => digests)).toHaveLength(many.forgotten)
  expect(await there.import(lines, { accept: true })).toMatchObject({ state: 'applied', kept: {}, leftOut: {} })
  expect(await answers(there)).toEqual(await answers(ada))
  // A second import changes nothing, and says so.
  const second = await there.import(lines, { accept: true })
  expect(second.stored).toEqual({ owner: 1 })
  expect(second.duplicates).toMatchObject({ message: many.sessions * 5, fact: many.facts, name: many.names, forgotten: many.forgotten })
  const again = await there.append('gone', [{ role: 'user', content: 'Forget gull 7.', id: 'g7' }])
  expect(again.forgotten).toEqual(['g7'])
})

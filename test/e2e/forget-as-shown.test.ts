import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

/** Begins an append in each of some turns of the event loop, as others do who talk while a person says yes. */
async function saidMeanwhile(ada: UserMemory, session: string, turns = 20): Promise<readonly string[]> {
  const stored: Promise<{ readonly messages: readonly { readonly id: string }[] }>[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    stored.push(ada.append(session, { role: 'user', content: `Said in turn ${turn}.` }))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return (await Promise.all(stored)).flatMap(({ messages }) => messages.map(({ id }) => id))
}

const idsIn = async (ada: UserMemory, session: string) => (await ada.messages(session, { limit: 1_000 })).map(({ id }) => id)

// requirement: P1.1, P3.11
test.each(['inline', 'threads'] as const)('a confirmed forget beside appends takes what was shown alone (%s)', async (engine) => {
  const memory = await openForTest({ store: newStore(), engine, embeddingModel: false })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  for (const length of [1, 700]) {
    for (const what of [{ session: `talk ${length}` }, { session: `old ${length}`, before: Date.now() + 60_000 }]) {
      const { session } = what
      await ada.append(
        session,
        Array.from({ length }, (_, at) => ({ role: 'user' as const, content: `Line ${at}.` })),
      )
      const { token, counts } = await ada.showForget({ what })
      const [outcome, later] = await Promise.all([
        ada.confirmForget(token, { what }).then(
          (receipt) => receipt.counts['message'],
          (error: { readonly code: string }) => error.code,
        ),
        saidMeanwhile(ada, session),
      ])
      expect([length, 'OPTION_INVALID', 'STALE_REVISION']).toContain(outcome)
      expect(counts['message']).toBe(length)
      const left = await idsIn(ada, session)
      expect(left.filter((id) => later.includes(id)).toSorted()).toEqual(later.toSorted())
      expect(left).toHaveLength(later.length + (outcome === length ? 0 : length))
    }
  }
})

test('a session that nobody wrote to meanwhile goes whole, with its name', async () => {
  const memory = await openForTest({ embeddingModel: false })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  for (const length of [1, 700]) {
    await ada.append(
      'talk',
      Array.from({ length }, (_, at) => ({ role: 'user' as const, content: `Line ${at}.` })),
    )
    await ada.blocks.set('plan', 'See the pier.', { session: 'talk' })
    const { token, counts } = await ada.showForget({ what: { session: 'talk' } })
    expect(counts).toMatchObject({ message: length, session: 1, block: 1 })
    expect((await ada.confirmForget(token, { what: { session: 'talk' } })).counts).toMatchObject({ message: length, session: 1, block: 1 })
    expect(await ada.sessions.list()).toEqual([])
  }
})

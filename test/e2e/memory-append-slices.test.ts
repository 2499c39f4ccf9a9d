import { describe, expect, test } from 'vitest'
import { InvalidMessage, MemoryClosed } from '../../packages/varve/src/index.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const large = (count: number, name = 'large') =>
  Array.from({ length: count }, (_, place) => ({ role: 'user' as const, id: `${name}-${place}`, content: `${name} ${place}` }))

describe.each([
  ['in memory', () => 'memory:'],
  ['in a file', newStore],
])('a batch that is checked in slices, %s', (_, store) => {
  // requirement: P5.3
  test('comes before what is appended after it, and lets the event loop come round', async () => {
    const ada = (await openForTest({ store: store() })).for('ada')
    let [turns, isDone] = [0, false]
    const turn = (): void => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const [first, second, other] = await Promise.all([
      ada.append('talk', large(10_000)),
      ada.append('talk', { role: 'user', content: 'after' }),
      ada.append('other', { role: 'user', content: 'elsewhere' }),
    ])
    isDone = true
    expect(first.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 10_000 }, (__, place) => place + 1))
    expect(first.messages[9_999]).toMatchObject({ externalId: 'large-9999', duplicate: false })
    expect(second.messages[0]?.seq).toBe(10_001)
    expect(other.messages[0]?.seq).toBe(1)
    expect(turns).toBeGreaterThan(3)
    const again = await ada.append('talk', large(10_000))
    expect(again.duplicates).toHaveLength(10_000)
  })

  test('is stored when the memory is closed meanwhile', async () => {
    const file = newStore()
    const memory = await openForTest({ store: file })
    const appending = memory.for('ada').append('talk', large(10_000))
    await memory.close()
    expect((await appending).messages).toHaveLength(10_000)
    await expect(memory.for('ada').append('talk', large(10_000))).rejects.toThrow(MemoryClosed)
    expect(await (await openForTest({ store: file })).for('ada').messages('talk', { limit: 10_000 })).toHaveLength(10_000)
  })

  test('is refused as a whole, and what comes after it goes before nothing', async () => {
    const ada = (await openForTest({ store: store() })).for('ada')
    const broken = [...large(9_000, 'broken'), { role: 'user' as const, content: '' }]
    const [first, refused, last] = await Promise.allSettled([
      ada.append('talk', large(10_000)),
      ada.append('talk', broken),
      ada.append('talk', { role: 'user', content: 'last' }),
    ])
    expect(first.status).toBe('fulfilled')
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(InvalidMessage) })
    expect(refused).toMatchObject({ reason: { index: 9_000, field: 'content' } })
    expect(last).toMatchObject({ value: { messages: [{ seq: 10_001 }] } })
  })

  test('is not sent when its caller has gone', async () => {
    const ada = (await openForTest({ store: store() })).for('ada')
    const leaving = new AbortController()
    const appending = ada.append('talk', large(10_000), { signal: leaving.signal })
    leaving.abort()
    await expect(appending).rejects.toMatchObject({ code: 'CANCELLED' })
    expect((await ada.append('talk', { role: 'user', content: 'alone' })).messages[0]?.seq).toBe(1)
  })
})

import { describe, expect, test } from 'vitest'
import { distilling } from '../fixtures/distil/open.ts'
import { minute, settled, talk } from '../fixtures/distil/talk.ts'
import { copied, isForSharing } from '../fixtures/distil/writer.ts'
import { counted, scaled, summarise } from '../fault/support/scale.ts'

const many = scaled(2_000, 100_000)

test(
  'a partition with many due sessions does not hold up another’s one',
  async () => {
    const { memory, clock, server } = await distilling({ modelWindow: 32_768, layers: { gists: true } })
    const ada = memory.for('ada')
    for (let at = 0; at < many; at += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, many - at) }, (_, place) => ada.append(`talk-${at + place}`, talk(`tern${at + place}`, 1))),
      )
    await memory.for('ben').append('talk', talk('gull', 1))
    clock.advance(settled)
    const start = performance.now()
    const { distilled, settled: isSettled } = await memory.upkeep.run({ maxCalls: 12 })
    const ms = performance.now() - start
    // The last one may be read, and not yet be composed.
    expect(distilled).toBeGreaterThanOrEqual(11)
    expect([isSettled, server.count]).toEqual([false, 12])
    expect(server.requests.findIndex(({ prompt }) => prompt.includes('gull'))).toBeLessThan(4)
    expect((await memory.upkeep.status()).backlog.gists).toBe(many + 1 - distilled)
    summarise(
      `fairness: one session beside ${counted(many)} is call ` +
        `${1 + server.requests.findIndex(({ prompt }) => prompt.includes('gull'))}; 12 calls in ${Math.round(ms)} ms`,
    )
  },
  scaled(60_000, 1_800_000),
)

describe('bounded runs', () => {
  test('do one piece at least, with no time as well, and get to the end', async () => {
    const { memory, clock, server } = await distilling({ modelWindow: 32_768, layers: { gists: true } })
    for (let at = 0; at < 6; at += 1) await memory.for('ada').append(`talk-${at}`, talk(`tern${at}`, 3))
    clock.advance(settled)
    const runs: number[] = []
    for (let isSettled = false; !isSettled && runs.length < 20;) {
      const before = server.count
      isSettled = (await memory.upkeep.run({ maxSeconds: 0 })).settled
      runs.push(server.count - before)
    }
    expect(Math.max(...runs)).toBe(1)
    // A talk is read in one run, and its gist is made in the next.
    expect(runs.length).toBeLessThanOrEqual(14)
    expect(server.count).toBe(6)
    expect((await memory.upkeep.status()).backlog.gists).toBe(0)
  })

  test('make no call with maxCalls: 0', async () => {
    const { memory, clock, server } = await distilling({ modelWindow: 32_768 })
    await memory.for('ada').append('talk', talk('tern', 3))
    clock.advance(settled)
    expect(await memory.upkeep.run({ maxCalls: 0 })).toMatchObject({ distilled: 0, settled: false })
    expect(server.count).toBe(0)
  })

  test('begin nothing new after maxCalls: the piece that is begun is finished, each of its layers asked for once more', async () => {
    const { memory, clock, server, play } = await distilling({ modelWindow: 32_768 })
    await memory.project('default').bank.setSharing(true)
    clock.advance(1_000)
    await memory.for('ada').append('talk', talk('tern', 3))
    clock.advance(settled)
    play(() => ({ object: {} }))
    await memory.upkeep.run({ maxCalls: 1 })
    expect(server.count).toBeLessThanOrEqual(3)
    expect(server.requests.filter(isForSharing)).toEqual([])
  })
})

test('what fails is put off longer each time, by itself, with its reason, and holds up nothing else', async () => {
  const { memory, clock, server, play } = await distilling({ modelWindow: 32_768, layers: { gists: true } })
  const ada = memory.for('ada')
  await ada.append('bad', talk('gull', 3))
  clock.advance(settled)
  play((request) => (request.prompt.includes('gull') ? { object: {} } : copied(request)))
  await memory.upkeep.run()
  expect((await memory.upkeep.status()).failures).toEqual([
    { kind: 'session', id: expect.any(String), attempts: 1, reason: expect.any(String) },
  ])
  const tries: number[] = []
  for (let at = 0; at < 24 * 60; at += 1) {
    const before = server.requests.filter(({ prompt }) => prompt.includes('gull')).length
    if (at % 180 === 0) await ada.append(`good-${at}`, talk(`tern${at}`, 20))
    await memory.upkeep.run()
    if (server.requests.filter(({ prompt }) => prompt.includes('gull')).length > before) tries.push(at)
    clock.advance(minute)
    if (at > 10) {
      clock.advance(9 * minute)
      at += 9
    }
  }
  const gaps = tries.slice(1).map((at, place) => at - (tries[place] ?? 0))
  expect(tries.length).toBeGreaterThan(4)
  expect(tries.length).toBeLessThan(16)
  expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
  // The extractive writer's words stay in the end.
  expect(await ada.gists.get('bad')).toMatchObject({ writer: 'extractive', provisional: false })
  expect((await ada.gists.list()).filter(({ writer }) => writer === 'extractive').map(({ session }) => session)).toEqual(['bad'])
  expect((await memory.upkeep.status()).failures).toEqual([])
})

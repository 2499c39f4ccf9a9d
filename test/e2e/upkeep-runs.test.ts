import { expect, test, vi } from 'vitest'
import { distilling, modelName } from '../fixtures/distil/open.ts'
import { settled, talk } from '../fixtures/distil/talk.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { hashedEmbeddingModel } from '../../packages/varve/src/testing/index.ts'

const said = talk('tern', 5)

test('a run tells when and how long it worked, what was due and done, and the requests and tokens that the ledger has', async () => {
  const { memory, clock } = await distilling({ modelWindow: 32_768, embeddingModel: hashedEmbeddingModel() })
  await memory.for({ project: 'acme', user: 'ada' }).append('monday', said)
  await memory.for({ project: 'other', user: 'ada' }).append('monday', said)
  const at = clock.advance(settled)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 2, settled: true })
  const calls = await memory.ledger()
  const runs = await memory.upkeep.runs()
  expect(runs.map(({ project }) => project).toSorted()).toEqual(['acme', 'other'])
  expect(new Set(runs.map(({ id }) => id)).size).toBe(1)
  for (const run of runs) {
    const mine = calls.filter(({ project }) => project === run.project)
    expect(mine.length).toBeGreaterThan(0)
    expect(run).toMatchObject({ by: 'asked', at: expect.any(Number), endedAt: at, calls: mine.length })
    expect(run.ms).toBeGreaterThan(0)
    expect(run.inputTokens).toBe(mine.reduce((sum, { inputTokens }) => sum + inputTokens, 0))
    expect(run.outputTokens).toBe(mine.reduce((sum, { outputTokens }) => sum + outputTokens, 0))
    const done = (count: number) => ({ due: count, done: count, failed: 0, failures: [] })
    expect(run.work.find(({ kind }) => kind === 'session')).toEqual({ kind: 'session', ...done(1) })
    expect(run.work.find(({ kind }) => kind === 'embedding')?.done).toBeGreaterThanOrEqual(said.length)
  }
  expect(await memory.upkeep.runs({ project: 'acme' })).toEqual(runs.filter(({ project }) => project === 'acme'))
  expect(await memory.upkeep.runs({ from: at + 1 })).toEqual([])
  expect(await memory.upkeep.runs({ to: at - 1 })).toEqual([])
  const first = await memory.upkeep.runs({ limit: 1 })
  expect([...first, ...(await memory.upkeep.runs({ limit: 1, cursor: first.cursor ?? '' }))]).toEqual(runs)
})

test('a run that found nothing writes nothing', async () => {
  const { memory, clock } = await distilling()
  await memory.for('ada').append('monday', said)
  await memory.upkeep.run()
  expect(await memory.upkeep.runs()).toEqual([])
  clock.advance(settled)
  await memory.upkeep.run()
  await memory.upkeep.run()
  expect(await memory.upkeep.runs()).toHaveLength(1)
})

test('a run says of each kind of work why it failed, in no word of the provider or of the user', async () => {
  const { memory, clock, play } = await distilling({ modelWindow: 32_768 })
  await memory.for({ project: 'acme', user: 'ada' }).append('monday', said)
  clock.advance(settled)
  play(() => ({ status: 401, text: 'no such key: sk-canary, for ada on monday' }))
  await memory.upkeep.run()
  const [run] = await memory.upkeep.runs()
  expect(run?.work.find(({ kind }) => kind === 'session')).toEqual({
    ...{ kind: 'session', due: 1, done: 1, failed: 1 },
    failures: [{ code: 'MODEL_FAILED', reason: expect.stringContaining('401'), count: 1 }],
  })
  expect(run).toMatchObject({ calls: 1, outputTokens: 0 })
  expect(JSON.stringify(run)).not.toMatch(/canary|ada|monday|tern/)
})

test('texts that get no vector are told apart from sessions that are read', async () => {
  const model = { ...hashedEmbeddingModel(), doEmbed: () => Promise.reject(new TypeError('no vector for the tern')) }
  const { memory, clock } = await distilling({ embeddingModel: model })
  await memory.for('ada').append('monday', said)
  clock.advance(settled)
  await memory.upkeep.run()
  const runs = await memory.upkeep.runs()
  expect(runs.map(({ project, work }) => [project, work.map(({ kind, failed }) => [kind, failed])])).toEqual(
    expect.arrayContaining([
      ['default', expect.arrayContaining([['session', 0]])],
      [undefined, [['embedding', expect.any(Number)]]],
    ]),
  )
  expect(runs.flatMap(({ work }) => work.flatMap(({ failures }) => failures.map(({ code }) => code)))).toEqual(['MODEL_FAILED'])
  expect(JSON.stringify(runs)).not.toContain('tern')
})

test('slices of one piece of work, such as those of the command, are one run', async () => {
  const { memory, clock } = await distilling({ modelWindow: 8_192 })
  for (const session of ['a', 'b', 'c']) await memory.for('ada').append(session, said)
  clock.advance(settled)
  for (let result = await memory.upkeep.run({ maxSeconds: 0 }); !result.settled;) result = await memory.upkeep.run({ maxSeconds: 0 })
  const runs = await memory.upkeep.runs()
  expect(runs).toHaveLength(1)
  expect(runs[0]?.work.find(({ kind }) => kind === 'session')).toMatchObject({ due: 3, done: 3 })
  expect(runs[0]?.calls).toBe((await memory.ledger()).length)
})

test('maxCalls bounds a run over all users of a project, not the run of each', async () => {
  const { memory, clock, server } = await distilling({ modelWindow: 32_768 })
  for (const user of ['ada', 'bob', 'cleo']) await memory.for({ project: 'acme', user }).append('monday', said)
  clock.advance(settled)
  expect(await memory.upkeep.run({ project: 'acme', maxCalls: 1 })).toMatchObject({ distilled: 1, settled: false })
  expect(server.count).toBe(1)
})

test('the background writes one row for its work of a minute, and none while it is idle', async () => {
  const store = newStore()
  const memory = await openForTest({ store, upkeep: 'background', embeddingModel: hashedEmbeddingModel(), languageModel: false })
  const ada = memory.for('ada')
  for (const content of ['The ferry leaves at nine.', 'The kiosk opens at eight.', 'The pier is closed.']) {
    await ada.append('talk', { role: 'user', content })
    await vi.waitFor(async () => expect((await memory.upkeep.status()).backlog.embeddings).toBe(0), 20_000)
  }
  await memory.close()
  const again = await openForTest({ store, embeddingModel: hashedEmbeddingModel(), languageModel: false })
  const runs = await again.upkeep.runs()
  expect(runs).toHaveLength(1)
  expect(runs[0]).toMatchObject({ by: 'background', project: 'default', work: [{ kind: 'embedding', due: 3, done: 3, failed: 0 }] })
})

test('nothing of a run is left when its project is deleted, and a run names no user and no session', async () => {
  const { memory, clock } = await distilling({ modelWindow: 32_768 })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('monday', said)
  await memory.for({ project: 'other', user: 'ada' }).append('monday', said)
  clock.advance(settled)
  await memory.upkeep.run()
  expect(JSON.stringify(await memory.upkeep.runs())).not.toMatch(/ada|monday|tern|scripted/)
  await ada.forget({ all: true })
  expect(await memory.upkeep.runs({ project: 'acme' })).toHaveLength(1)
  await memory.projects.delete('acme')
  expect((await memory.upkeep.runs()).flatMap(({ project }) => project ?? [])).toEqual(['other'])
  expect((await memory.ledger()).map(({ project, model }) => [project, model])).toEqual(expect.arrayContaining([['other', modelName]]))
})

test('the cost by layer in the status, the bill and the ledger are one sum, also where a call was for several layers', async () => {
  const { memory, clock } = await distilling({ modelWindow: 32_768 })
  await memory.for({ project: 'acme', user: 'ada' }).append('monday', said)
  clock.advance(settled)
  await memory.upkeep.run()
  const calls = await memory.ledger()
  expect(calls[0]?.layers).toEqual(['gists', 'bank'])
  const [input, output] = [calls.reduce((sum, one) => sum + one.inputTokens, 0), calls.reduce((sum, one) => sum + one.outputTokens, 0)]
  const { cost } = await memory.upkeep.status()
  expect(cost.map(({ layer }) => layer)).toEqual(['gists', 'bank'])
  expect(cost.reduce((sum, one) => sum + one.inputTokens, 0)).toBe(input)
  expect(cost.reduce((sum, one) => sum + one.outputTokens, 0)).toBe(output)
  expect(await memory.costs()).toMatchObject({ total: { calls: calls.length, inputTokens: input, outputTokens: output }, parts: cost })
  expect((await memory.costs({ project: 'acme', by: ['model'] })).parts).toMatchObject([{ model: modelName, inputTokens: input }])
})

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { hour } from '../fixtures/distil/talk.ts'
import { listeningLogger, newStore, openForTest } from '../fixtures/memory/open.ts'

test('odd data of one owner fails its own piece of work: it is told, and the others’ work is done', async () => {
  const [store, clock, logger] = [newStore(), new ManualClock(), listeningLogger()]
  const layers = { gists: true, bank: true }
  const memory = await openForTest({ store, clock, logger, layers, embeddingModel: false, languageModel: false })
  const [ada, bob] = [memory.for({ project: 'pier', user: 'ada' }), memory.for({ project: 'pier', user: 'bob' })]
  await ada.append('odd', { role: 'user', content: 'The harbour has 12 lamps.', metadata: { lamps: 12 } })
  clock.advance(1_000)
  await bob.append('sound', { role: 'user', content: 'The ferry leaves at nine.' })
  const database = new Database(store)
  database.prepare("UPDATE message SET metadata = '{\"lamps' WHERE metadata IS NOT NULL").run()
  clock.advance(hour)

  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1 })
  expect((await bob.gists.get('sound'))?.text).toContain('nine')
  const failure = { kind: 'session', attempts: 1, reason: 'SyntaxError' }
  expect((await memory.upkeep.status()).failures).toMatchObject([failure])
  const work = (await memory.upkeep.runs()).flatMap((run) => run.work).filter(({ kind }) => kind === 'session')
  expect(work).toContainEqual({
    ...{ kind: 'session', due: 2, done: 1, failed: 1 },
    failures: [{ code: 'UNEXPECTED', reason: 'SyntaxError', count: 1 }],
  })
  clock.advance(24 * hour)
  await memory.upkeep.run()
  expect((await memory.upkeep.status()).failures).toMatchObject([{ ...failure, attempts: 2 }])
  const told = logger.warnings.filter((warning) => warning.startsWith('UPKEEP_FAILED'))
  expect(told).toEqual([expect.stringContaining('SyntaxError')])
  expect(told.join()).not.toContain('lamps')

  database.prepare("UPDATE message SET metadata = '{}' WHERE metadata IS NOT NULL").run()
  database.close()
  clock.advance(48 * hour)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1 })
  expect((await memory.upkeep.status()).failures).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { clearInTurns, deleteInTurns } from '../../packages/varve/src/bank/change-bank.ts'
import { restoreChange } from '../../packages/varve/src/bank/restore-entries.ts'
import { VarveError } from '../../packages/varve/src/errors/varve-error.ts'
import { forgetInTurns } from '../../packages/varve/src/privacy/forgetting.ts'
import { type PartitionId, sessionName } from '../../packages/varve/src/scope/partition.ts'
import type { Erasure } from '../../packages/varve/src/storage/erase/erasure.ts'
import type { ForgetSelection } from '../../packages/varve/src/storage/erase/forget-selection.ts'
import { turnBounds } from '../../packages/varve/src/storage/erase/turns.ts'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { scaled } from '../fault/support/scale.ts'
import { ada, type FilledBank, filledBank, project } from '../fixtures/bounded/filled-bank.ts'
import { held } from '../fixtures/bounded/held.ts'
import { canary } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'
import { OtherProcess } from './other-process.ts'

const few = { items: 5, sessions: 3 }

/** Another process takes a change back, in a transaction of its own. Where there is nothing to take back, nothing happens. */
function restored(place: CountingPlace, partition: PartitionId, deed: string): void {
  place.connection.exec('BEGIN IMMEDIATE')
  try {
    execute(place.connection, restoreChange(partition, { id: deed }, place.now))
    place.connection.exec('COMMIT')
  } catch (error) {
    place.connection.exec('ROLLBACK')
    if (!VarveError.is(error)) throw error
  }
}

const uuidText = (bytes: string): string => bytes.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** The id of the newest change by hand. */
function newestDeed(place: CountingPlace): string {
  const row = place.connection.prepare('SELECT hex(uuid) FROM deed ORDER BY id DESC LIMIT 1').pluck().get()
  return uuidText(String(row ?? ''))
}

const entriesIn = (place: CountingPlace): unknown =>
  place.rows('SELECT hex(uuid), partition_id, rung, period, content, hand, pinned FROM item WHERE kind = 1 ORDER BY uuid')

type Deletion = (place: CountingPlace, filled: FilledBank) => Promise<Erasure>

const deletions: Record<string, readonly [PartitionId, Deletion]> = {
  'of a bank': [ada, (place) => clearInTurns(place, ada, { isForgetting: false, bounds: few })],
  'of a shared bank': [project, (place) => clearInTurns(place, project, { isForgetting: false, bounds: few })],
  'of a month': [ada, (place, { own }) => deleteInTurns(place, ada, { id: own }, false, few)],
  'of a shared month': [project, (place, { shared }) => deleteInTurns(place, project, { id: shared }, false, few)],
}

describe('a deletion', () => {
  test.each(Object.entries(deletions))(
    '%s that another process takes back half way loses nothing: it is taken back whole later',
    async (_, [of, run]) => {
      const filled = await filledBank()
      using control = new CountingPlace(filled.store)
      await run(control, filled)
      restored(control, of, newestDeed(control))
      const whole = entriesIn(control)
      const steps = control.transactions.length
      for (let at = 1; at < steps; at += scaled(Math.ceil(steps / 5), 1)) {
        using place = new CountingPlace(filled.store)
        place.before = async (n) => {
          if (n === at) restored(place, of, newestDeed(place))
        }
        await run(place, filled).catch((error: unknown) => expect(VarveError.is(error), String(error)).toBe(true))
        restored(place, of, newestDeed(place))
        expect(entriesIn(place), `transaction ${at}`).toEqual(whole)
      }
    },
  )
})

const small = { ...turnBounds, messages: 4, facts: 4, pages: 1, contexts: 4, sessions: 2 }

const forgets: Record<string, ForgetSelection> = {
  'a session': { session: sessionName('s4') },
  'what was before a time': { before: Date.UTC(2026, 0, 20) },
  everything: { all: true },
}

describe('a forget of', () => {
  test.each(Object.entries(forgets))(
    '%s, between whose steps another process takes a deletion back, leaves no word of it',
    async (_, selection) => {
      const filled = await filledBank()
      for (const of of [ada, project]) {
        using deleted = new CountingPlace(filled.store)
        await clearInTurns(deleted, of, { isForgetting: false, bounds: few })
        const [deed, store] = [newestDeed(deleted), deleted.copy()]
        // Else this test could not fail.
        expect(JSON.stringify(deleted.rows('SELECT content FROM deed_text'))).toContain('number 4 green')
        let steps = 1
        for (let at = 0; at < steps; at += scaled(Math.ceil(steps / 6), 1)) {
          using place = new CountingPlace(store)
          place.before = async (n) => {
            if (n === at) restored(place, of, deed)
          }
          await forgetInTurns(place, ada, selection, small)
          steps = place.transactions.length
          restored(place, of, deed)
          expect(JSON.stringify(held(place)), `step ${at} of ${steps}`).not.toContain('number 4 green')
          expect(JSON.stringify(place.rows('SELECT content, hand FROM deed_text'))).not.toContain('number 4 green')
        }
      }
    },
  )
})

test('a gist that two processes take back while one of them forgets its session does not come back', async () => {
  const store = newStore()
  const memory = await openForTest({ store, embeddingModel: false, languageModel: false })
  const other = await OtherProcess.start(store)
  const handle = memory.for({ project: 'pier', user: 'ada' })
  for (let round = 0; round < 4; round += 1) {
    const [session, word] = [`talk-${round}`, canary()]
    await handle.append(session, { role: 'user', content: 'The ferry leaves at nine.' })
    await handle.gists.write(session, `Mira keeps the ${word}.`)
    await handle.gists.write(session, 'Mira keeps her word.')
    const calls = [handle.gists.restore(session, 1), handle.forget({ session }), other.call(['gists', 'restore'], session, 1)]
    const failed = (await Promise.allSettled(calls)).flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(failed.filter((error) => !error.includes('NotFound'))).toEqual([])
    expect((await Array.fromAsync(handle.export())).join('')).not.toContain(word)
    expect(await Array.fromAsync(handle.gists.list())).toEqual([])
  }
})

import { nearTo } from '../partitions.ts'
import { sql } from 'kysely'
import { eraseSession } from '../erase/erasure.ts'
import { sessionRowById } from '../log/sessions.ts'
import { Needles } from '../needles.ts'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'
import { placeKinds, sessionModes, type ImportKey } from './imports.ts'

/** The most sessions that one transaction drops. */
export const sessionsPerTurn = 200

/** Sessions with nothing in them, of which the import left a message out. */
const emptied = statement<{ partition: number; near: string; id: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('import_place as made')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'made.theirs').$call(d.joined('session', p('partition'))))
    .select('session.id')
    .where('made.import_id', '=', p('id'))
    .$call(d.withinApart(p('partition'), 'made'))
    .where('made.kind', '=', sql<number>`${sql.lit(placeKinds.session)}`)
    .where('made.ours', '=', sql<number>`${sql.lit(sessionModes.made)}`)
    .where('session.messages', '=', sql<number>`0`)
    .where((e) =>
      e.exists(
        db
          .selectFrom('import_place as left')
          .select('left.theirs')
          .where('left.import_id', '=', p('id'))
          .$call(d.withinApart(p('partition'), 'left'))
          .where('left.kind', '=', sql<number>`${sql.lit(placeKinds.ofSession)} + session.id`)
          .where('left.ours', '=', sql<number>`0`),
      ),
    )
    .where((e) =>
      e.not(
        e.or([
          e.exists(
            e
              .selectFrom('item')
              .select('item.ord')
              .whereRef('item.session_id', '=', 'session.id')
              .$call(d.among(p('near'), 'item')),
          ),
          e.exists(
            e
              .selectFrom('part')
              .select('part.session_id')
              .whereRef('part.session_id', '=', 'session.id')
              .$call(d.within(p('partition'), 'part')),
          ),
          e.exists(
            e
              .selectFrom('block')
              .select('block.id')
              .whereRef('block.session_id', '=', 'session.id')
              .$call(d.within(p('partition'), 'block')),
          ),
          e.exists(
            e
              .selectFrom('page')
              .select('page.id')
              .whereRef('page.session_id', '=', 'session.id')
              .$call(d.within(p('partition'), 'page')),
          ),
          e.exists(
            e
              .selectFrom('assertion')
              .select('assertion.ord')
              .whereRef('assertion.noted_in', '=', 'session.id')
              .$call(d.among(p('near'), 'assertion')),
          ),
          e.exists(
            e
              .selectFrom('instruction')
              .select('instruction.uuid')
              .whereRef('instruction.noted_in', '=', 'session.id')
              .$call(d.within(p('partition'), 'instruction')),
          ),
        ]),
      ),
    )
    .limit(p('limit')),
)

/**
 * Drops some sessions that an import made and of which every message is forgotten. Whatever somebody wrote there since
 * keeps its session. Returns how many.
 */
export function* dropForgottenSessions({ id, partition_id: partition }: ImportKey): Program<number> {
  const near = yield* nearTo(partition)
  const found = yield* all(emptied, { partition, near, id, limit: sessionsPerTurn })
  for (const { id: session } of found) {
    const row = yield* sessionRowById(partition, session)
    // No needles: their words stand in the log alone, which is emptied when the import ends.
    if (row !== undefined) yield* eraseSession(row, new Needles())
  }
  return found.length
}

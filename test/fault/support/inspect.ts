import Database from 'better-sqlite3'
import { vectorInvariants, vectorProblems } from './inspect-vectors.ts'

/** Messages and what was derived from them: both have ordinals, terms and vectors. Stores from before schema 4 have messages alone. */
const stored = (hasItems: boolean): string => `WITH stored AS (SELECT partition_id, ord FROM message${hasItems ? ' UNION ALL SELECT partition_id, ord FROM item' : ''})`

/** Invariants of a store that hold at every moment, each as a query that finds what breaks it. */
const invariants: readonly (readonly [what: string, sql: string])[] = [
  ['a partition whose count is not that of its messages', 'SELECT id FROM partition p WHERE messages <> (SELECT count(*) FROM stored m WHERE m.partition_id = p.id)'],
  ['a partition whose size is not that of its terms', 'SELECT id FROM partition p WHERE term_bytes <> (SELECT coalesce(sum(length(body)), 0) FROM message_terms t WHERE t.partition_id = p.id)'],
  ['a partition with a message after its last', 'SELECT id FROM partition p WHERE seq < (SELECT coalesce(max(ord), 0) FROM stored m WHERE m.partition_id = p.id)'],
  ['a session whose count is not that of its messages', 'SELECT id FROM session s WHERE messages <> (SELECT count(*) FROM message m WHERE m.session_id = s.id)'],
  ['a session with a message after its last', 'SELECT id FROM session s WHERE seq < (SELECT coalesce(max(seq), 0) FROM message m WHERE m.session_id = s.id)'],
  ['a message without its terms', 'SELECT m.ord FROM stored m LEFT JOIN message_terms t USING (partition_id, ord) WHERE t.ord IS NULL'],
  ['terms without their message', 'SELECT t.ord FROM message_terms t LEFT JOIN stored m USING (partition_id, ord) WHERE m.ord IS NULL'],
  ['a message of no session', 'SELECT m.ord FROM message m LEFT JOIN session s ON s.id = m.session_id WHERE s.id IS NULL'],
  ['a tombstone of a message that is there', 'SELECT m.ord FROM tombstone JOIN stored m USING (partition_id, ord)'],
  ...vectorInvariants,
]

/** What is wrong with a store's file; empty when nothing is. Reads only. */
export function problemsOf(file: string): string[] {
  const connection = new Database(file, { readonly: true })
  try {
    const damage = connection.prepare<[], string>('PRAGMA integrity_check').pluck().all()
    const hasItems = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'item'").get() !== undefined
    const broken = invariants.filter(([, sql]) => connection.prepare(`${stored(hasItems)} ${sql}`).get() !== undefined).map(([what]) => what)
    return [...damage.filter((line) => line !== 'ok'), ...broken, ...vectorProblems(connection)]
  } finally {
    connection.close()
  }
}

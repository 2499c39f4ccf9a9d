import Database from 'better-sqlite3'
import { pageProblems } from '../../fixtures/pages/inspect.ts'
import { vectorInvariants, vectorProblems } from './inspect-vectors.ts'

/** Messages, derived items and facts: all have ordinals, terms and vectors. Stores from before schemas 4 and 5 lack some. */
const stored = (tables: ReadonlySet<string>): string => {
  const items = tables.has('item') ? ' UNION ALL SELECT partition_id, ord FROM item' : ''
  return (
    'WITH stored AS (SELECT partition_id, ord FROM ' +
    `message${items}${tables.has('assertion') ? ' UNION ALL SELECT partition_id, ord FROM assertion WHERE says = 0' : ''})`
  )
}

/** The invariants of a store that hold at every moment, each with a query for violations. */
const invariants: readonly (readonly [what: string, sql: string])[] = [
  [
    'a partition whose count is not that of its messages',
    'SELECT id FROM partition p WHERE messages <> (SELECT count(*) FROM stored m WHERE m.partition_id = p.id)',
  ],
  [
    'a partition whose size is not that of its terms',
    'SELECT id FROM partition p WHERE term_bytes <> (SELECT coalesce(sum(length(body)), 0) FROM message_terms t WHERE ' +
      't.partition_id = p.id)',
  ],
  [
    'a partition with a message after its last',
    'SELECT id FROM partition p WHERE seq < (SELECT coalesce(max(ord), 0) FROM stored m WHERE m.partition_id = p.id)',
  ],
  [
    'a session whose count is not that of its messages',
    'SELECT id FROM session s WHERE messages <> (SELECT count(*) FROM message m WHERE m.session_id = s.id)',
  ],
  [
    'a session with a message after its last',
    'SELECT id FROM session s WHERE seq < (SELECT coalesce(max(seq), 0) FROM message m WHERE m.session_id = s.id)',
  ],
  ['a message without its terms', 'SELECT m.ord FROM stored m LEFT JOIN message_terms t USING (partition_id, ord) WHERE t.ord IS NULL'],
  ['terms without their message', 'SELECT t.ord FROM message_terms t LEFT JOIN stored m USING (partition_id, ord) WHERE m.ord IS NULL'],
  ['a message of no session', 'SELECT m.ord FROM message m LEFT JOIN session s ON s.id = m.session_id WHERE s.id IS NULL'],
  ['a tombstone of a message that is there', 'SELECT m.ord FROM tombstone JOIN stored m USING (partition_id, ord)'],
  ...vectorInvariants,
]

const ofFacts: typeof invariants = [
  ['a source of no statement', 'SELECT s.ord FROM assertion_source s LEFT JOIN assertion a USING (partition_id, ord) WHERE a.ord IS NULL'],
  [
    'a source that is no message',
    'SELECT s.ord FROM assertion_source s LEFT JOIN message m ON m.session_id = s.session_id AND m.seq = s.seq WHERE m.ord IS NULL',
  ],
  [
    'a statement that was read and has no source',
    'SELECT ord FROM assertion a WHERE session_id > 0 AND NOT EXISTS (SELECT 1 FROM assertion_source s WHERE s.partition_id = ' +
      'a.partition_id AND s.ord = a.ord)',
  ],
  ['a revision of no block', 'SELECT block_id FROM block_revision r LEFT JOIN block b ON b.id = r.block_id WHERE b.id IS NULL'],
]

/** Returns the problems of a store's file, an empty list for none. Reads only. */
export function problemsOf(file: string): string[] {
  const connection = new Database(file, { readonly: true })
  try {
    const damage = connection.prepare<[], string>('PRAGMA integrity_check').pluck().all()
    const tables = new Set(connection.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all())
    const broken = [...invariants, ...(tables.has('assertion') ? ofFacts : [])]
      .filter(([, sql]) => connection.prepare(`${stored(tables)} ${sql}`).get() !== undefined)
      .map(([what]) => what)
    const pages = tables.has('page') ? pageProblems(connection) : []
    return [...damage.filter((line) => line !== 'ok'), ...broken, ...pages, ...vectorProblems(connection)]
  } finally {
    connection.close()
  }
}

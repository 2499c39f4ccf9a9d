import type Database from 'better-sqlite3'
import { nextPassage, type Passage } from '../../../packages/varve/src/index/passages.ts'
import { storedCode } from '../../../packages/varve/src/index/vectors/stored-code.ts'
import { isFaultModel, vectorOf } from './embedding-model.ts'

/** The invariants of vectors, each with a query for violations. A vector's id is its embedding's and its number: 32 bits. */
export const vectorInvariants: readonly (readonly [what: string, sql: string])[] = [
  ['a vector of no message', 'SELECT v.id FROM message_vector v LEFT JOIN stored m USING (partition_id, ord) WHERE m.ord IS NULL'],
  [
    'a vector of no embedding of its partition',
    'SELECT v.id FROM message_vector v LEFT JOIN embedding e ON e.id = v.id >> 32 AND e.partition_id = v.partition_id WHERE e.id IS NULL',
  ],
  [
    'a vector with a number after the last',
    'SELECT v.id FROM message_vector v JOIN embedding e ON e.id = v.id >> 32 WHERE v.id & 4294967295 NOT BETWEEN 1 AND e.vector_seq',
  ],
  ['two vectors of a passage', 'SELECT id FROM message_vector GROUP BY id >> 32, ord, passage HAVING count(*) > 1'],
  [
    'a vector without its code',
    'SELECT v.id FROM message_vector v LEFT JOIN message_code c USING (id) WHERE length(v.body) > 0 AND c.id IS NULL',
  ],
  [
    'a code without its vector',
    'SELECT c.id FROM message_code c LEFT JOIN message_vector v ON v.id = c.id AND v.ord = c.ord WHERE v.id IS NULL OR length(v.body) = 0',
  ],
  [
    'a vector of another dimension',
    'SELECT v.id FROM message_vector v JOIN embedding e ON e.id = v.id >> 32 JOIN embedding_model m ON m.id = e.model_id WHERE ' +
      'length(v.body) NOT IN (0, 4 * m.dimension)',
  ],
  ['an embedding of no partition', 'SELECT e.id FROM embedding e LEFT JOIN partition p ON p.id = e.partition_id WHERE p.id IS NULL'],
  [
    'an embedding that has seen messages still to come',
    'SELECT e.id FROM embedding e JOIN partition p ON p.id = e.partition_id WHERE e.seen_seq > p.seq',
  ],
  [
    'an embedding that has seen all, with messages not done',
    `SELECT e.id FROM embedding e JOIN stored m USING (partition_id) WHERE m.ord <= e.seen_seq
    AND NOT EXISTS (SELECT 1 FROM json_each(e.done) WHERE m.ord BETWEEN json_extract(value, '$[0]') AND json_extract(value, '$[1]'))`,
  ],
]

interface EmbeddedMessage {
  readonly name: string
  readonly ord: number
  readonly content: string
  readonly recalled: string | null
  /** 1 when it is marked as needing no more work. */
  readonly isDone: number
}

interface StoredVector {
  readonly ord: number
  readonly passage: number
  readonly begins: number
  readonly ends: number
  readonly body: Uint8Array
  readonly code: Uint8Array | null
  readonly scale: number | null
}

/**
 * Checks vectors. A message is marked done exactly when each of its passages has a vector. Each vector has its own
 * code, and by the suite's model belongs to its text.
 */
export function vectorProblems(connection: Database.Database): string[] {
  const embeddings = connection.prepare<[], number>('SELECT id FROM embedding').pluck().all()
  const messages = connection.prepare<[number], EmbeddedMessage>(`SELECT k.name, m.ord, m.content, m.recalled,
    EXISTS (SELECT 1 FROM json_each(e.done) WHERE m.ord BETWEEN json_extract(value, '$[0]') AND json_extract(value, '$[1]')) AS isDone
    FROM embedding e JOIN embedding_model k ON k.id = e.model_id JOIN message m USING (partition_id) WHERE e.id = ? AND m.origin <>
'system'`)
  // One query for all: a query a message would be most of the time of a look.
  const vectors = connection.prepare<
    [number, number],
    StoredVector
  >(`SELECT v.ord, v.passage, v.begins, v.ends, v.body, c.body AS code, c.scale
    FROM embedding e JOIN message_vector v USING (partition_id) LEFT JOIN message_code c ON c.id = v.id WHERE e.id = ? AND v.id >>
32 = ? ORDER BY v.ord, v.passage`)
  const found = embeddings.flatMap((id) => {
    const stored = Map.groupBy(vectors.all(id, id), ({ ord }) => ord)
    return messages
      .all(id)
      .flatMap((message) =>
        messageProblems(message, stored.get(message.ord) ?? []).map((what) => `${what}: ${message.content.slice(0, 24)}`),
      )
  })
  return [...new Set(found)]
}

function messageProblems({ name, content, recalled, isDone }: EmbeddedMessage, stored: readonly StoredVector[]): string[] {
  const passages = passagesOf(content, recalled)
  const isPrefix = stored.every(
    ({ passage, begins, ends }, place) => passage === place && passages[place]?.from === begins && passages[place]?.to === ends,
  )
  return [
    ...(isPrefix ? [] : ['vectors of other passages than its own']),
    ...(isDone === Number(stored.length === passages.length)
      ? []
      : [`${stored.length} vectors of ${passages.length}, and ${isDone === 1 ? '' : 'not '}marked done`]),
    ...stored.filter((vector) => !isWhole(vector)).map(() => 'a code that is not its vector’s'),
    ...(isFaultModel(name)
      ? stored
          .filter(({ body, begins, ends }) => !Buffer.from(vectorOf(content.slice(begins, ends)).buffer).equals(body))
          .map(() => 'a vector that is not its text’s')
      : []),
  ]
}

function passagesOf(content: string, recalled: string | null): Passage[] {
  const leftOut: readonly Passage[] = recalled === null ? [] : JSON.parse(recalled)
  const passages: Passage[] = []
  for (let next = nextPassage(content, leftOut); next !== undefined; next = nextPassage(content, leftOut, next)) passages.push(next)
  return passages
}

/** Checks one vector. A text that the model refused has an empty body and no code. */
function isWhole({ body, code, scale }: StoredVector): boolean {
  if (body.length === 0) return code === null
  const expected = storedCode(new Float32Array(Uint8Array.from(body).buffer))
  return code !== null && scale === expected.scale && Buffer.from(code).equals(expected.body)
}

import { type Program, allEach } from '../program.ts'
import { statement } from '../statement.ts'

/** The speaker of a message, and the language of its session (ISO 639-1; '' for unknown). */
export interface SpokenRow {
  readonly seq: number
  readonly role: string
  readonly origin: string
  readonly name: string | null
  readonly said_at: number
  readonly language: string
}

/** Messages of a session, which has the caller's name. */
export interface SpokenPlaces {
  readonly session: string
  readonly seqs: readonly number[]
}

const ofMessages = statement<{ partition: number; session: string; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'message.session_id').$call(d.beside('session', 'message')))
    .select(['message.seq', 'message.role', 'message.origin', 'message.name', 'message.said_at', 'session.language'])
    .where('session.partition_id', '=', p('partition'))
    .where('session.external_id', '=', p('session'))
    .where('message.seq', 'in', d.numbers(p('seqs'))),
)

/** Returns the speakers of messages of some sessions of a partition, by their places. */
export function* spokenRows(partition: number, asked: readonly SpokenPlaces[]): Program<readonly ReadonlyMap<number, SpokenRow>[]> {
  const rows = yield* allEach(
    ofMessages,
    asked.map(({ session, seqs }) => ({ partition, session, seqs: JSON.stringify([...new Set(seqs)]) })),
  )
  return rows.map((of) => new Map(of.map((row) => [row.seq, row])))
}

/** Gives the speaker of some messages; undefined when they have several, or when one of them is no person's or is gone. */
export function soleSpeaker(spoken: ReadonlyMap<number, SpokenRow>, seqs: readonly number[]): SpokenRow | undefined {
  const [first, ...others] = seqs.map((seq) => spoken.get(seq))
  const isPersons = (row: SpokenRow | undefined): boolean => row?.role === 'user' && row.origin === 'person'
  return isPersons(first) && others.every((row) => isPersons(row) && row?.name === first?.name) ? first : undefined
}

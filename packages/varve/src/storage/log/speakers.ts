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

const ofMessages = statement<{ session: number; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .innerJoin('session', 'session.id', 'message.session_id')
    .select(['message.seq', 'message.role', 'message.origin', 'message.name', 'message.said_at', 'session.language'])
    .where('message.session_id', '=', p('session'))
    .where('message.seq', 'in', d.numbers(p('seqs'))),
)

/** Returns the speakers of some messages of each session. */
export function spokenRows(
  asked: readonly { readonly session: number; readonly seqs: readonly number[] }[],
): Program<readonly (readonly SpokenRow[])[]> {
  return allEach(
    ofMessages,
    asked.map(({ session, seqs }) => ({ session, seqs: JSON.stringify(seqs) })),
  )
}

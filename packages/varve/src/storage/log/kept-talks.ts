import { sql } from 'kysely'
import { growingCache } from '../../caches/growing-cache.ts'
import type { PartitionRow } from '../partitions.ts'
import { holds, type SingleStep } from '../program.ts'
import type { SessionTable } from '../schema.ts'
import { statement } from '../statement.ts'
import type { ContextsAround } from './contexts-around.ts'
import type { SessionCounters } from './sessions.ts'

/** The sessions whose state is kept: 1 to 3 KB each. */
const mostTalks = 4_096

/** All that an append reads of its partition and its session. */
export interface TalkState {
  readonly owner: PartitionRow
  readonly row: SessionTable
  readonly contexts: ContextsAround
}

/** A batch of an earlier run of the same append, whose commit was not answered. */
interface Unknown<Result> {
  /** The partition as it would be then. */
  readonly owner: Pick<PartitionRow, 'id' | 'epoch'>
  readonly results: readonly Result[]
}

interface Kept extends TalkState {
  /** False where somebody else wrote between the last two appends: they may do so again. */
  readonly isTrusted: boolean
}

type Talks = ReturnType<typeof growingCache<string, Kept>>

type Old<Row> = { readonly [Name in keyof Row & string as `old_${Name}`]: Row[Name] }

type PartitionChange = PartitionRow &
  Old<Omit<PartitionRow, 'id' | 'project_id'>> & { readonly newest: number; readonly around: string; readonly epochs: number }

type SessionChange = SessionCounters & Old<Omit<SessionCounters, 'id'>> & { readonly partition: number }

/** Each partition counts for so much beside its epoch, which stays below: so the sum tells how many there are. */
const oneMore = 2 ** 32

/** Changes a partition's row where it and the contexts around it are as they were, value by value. */
const partitionFrom = statement<PartitionChange>()((db, p, d) =>
  db
    .updateTable('partition')
    .set({ seq: p('seq'), epoch: p('epoch'), messages: p('messages'), term_bytes: p('term_bytes') })
    .where('id', '=', p('id'))
    .where('project_id', '=', p('project_id'))
    .where('seq', '=', p('old_seq'))
    .where('epoch', '=', p('old_epoch'))
    .where('messages', '=', p('old_messages'))
    .where('term_bytes', '=', p('old_term_bytes'))
    .where(sql`(select coalesce(max(id), 0) from context_record where partition_id = ${p('id')})`, '=', p('newest'))
    .where(sql`(select sum(epoch + ${sql.lit(oneMore)}) from partition as near where id in ${d.numbers(p('around'))})`, '=', p('epochs')),
)

/** Changes a session's counters where all of them are as they were. */
const sessionFrom = statement<SessionChange>()((db, p, d) =>
  db
    .updateTable('session')
    .set({
      language: p('language'),
      language_votes: p('language_votes'),
      seq: p('seq'),
      epoch: p('epoch'),
      messages: p('messages'),
      first_said_at: p('first_said_at'),
      last_said_at: p('last_said_at'),
      last_recorded_at: p('last_recorded_at'),
      main_tokens: p('main_tokens'),
      main_calls: p('main_calls'),
      main_pause: p('main_pause'),
    })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition')))
    .where('language', '=', p('old_language'))
    .where('language_votes', '=', p('old_language_votes'))
    .where('seq', '=', p('old_seq'))
    .where('epoch', '=', p('old_epoch'))
    .where('messages', '=', p('old_messages'))
    .where('first_said_at', '=', p('old_first_said_at'))
    .where('last_said_at', '=', p('old_last_said_at'))
    .where('last_recorded_at', '=', p('old_last_recorded_at'))
    .where('main_tokens', '=', p('old_main_tokens'))
    .where('main_calls', '=', p('old_main_calls'))
    .where('main_pause', '=', p('old_main_pause')),
)

/** Returns the steps that take a partition and a session from one state to another, and fail where they are in a third. */
export function changesFrom(from: TalkState, to: Pick<TalkState, 'owner' | 'row'>): readonly SingleStep[] {
  const { around, newest } = from.contexts
  const epochs = around.reduce((sum, [, epoch]) => sum + epoch + oneMore, 0)
  const near = { newest, around: JSON.stringify(around.map(([id]) => id)), epochs }
  const { owner, row } = from
  // Spelt out: copying the names took 8 µs of each append.
  const oldOwner = { old_seq: owner.seq, old_epoch: owner.epoch, old_messages: owner.messages, old_term_bytes: owner.term_bytes }
  const oldRow = {
    ...{ old_language: row.language, old_language_votes: row.language_votes, old_seq: row.seq, old_epoch: row.epoch },
    ...{ old_messages: row.messages, old_first_said_at: row.first_said_at, old_last_said_at: row.last_said_at },
    ...{ old_last_recorded_at: row.last_recorded_at, old_main_tokens: row.main_tokens, old_main_calls: row.main_calls },
    ...{ old_main_pause: row.main_pause },
  }
  return [holds(partitionFrom, { ...to.owner, ...oldOwner, ...near }), holds(sessionFrom, { ...to.row, ...oldRow, partition: to.owner.id })]
}

/**
 * What appends found and left, by session. The next append takes it for granted, writes at once, and lets the store check
 * it in the same round trip. Nothing that is kept here is believed: the check compares each value.
 */
export class KeptTalks {
  readonly #talks = growingCache<string, Kept>(mostTalks)

  /** Begins an append to a session, by its name in this process. */
  begin<Result>(session: string): Attempts<Result> {
    return new Attempts(this.#talks, session)
  }

  /** Forgets everything kept. Call it after a failed commit. */
  forget(): void {
    this.#talks.clear()
  }
}

/** Copies the rows of a state: an append counts in them. */
export function copyOf({ owner, row, contexts }: TalkState): TalkState {
  return { owner: { ...owner }, row: { ...row }, contexts }
}

/** The runs of one append. Its program may begin anew. */
export class Attempts<Result> {
  readonly #talks: Talks
  readonly #session: string
  readonly #unknown: Unknown<Result>[] = []
  #runs = 0
  #before: Kept | undefined
  #isTrusted = false

  constructor(talks: Talks, session: string) {
    this.#talks = talks
    this.#session = session
  }

  /** The batches of earlier runs that may be stored. */
  get unknown(): readonly Unknown<Result>[] {
    return this.#unknown
  }

  /** Gives what may be taken for granted, in the first run alone. A second one reads what the store has. */
  take(): TalkState | undefined {
    this.#runs += 1
    this.#before = this.#talks.get(this.#session)
    this.#talks.delete(this.#session)
    this.#isTrusted = this.#runs === 1 && this.#before?.isTrusted === true
    return this.#isTrusted ? this.#before : undefined
  }

  /** Notes what the store has. */
  found({ owner, row, contexts }: TalkState): void {
    const before = this.#before
    this.#isTrusted =
      this.#runs === 1 &&
      (before === undefined ||
        (before.owner.seq === owner.seq &&
          before.owner.epoch === owner.epoch &&
          before.row.seq === row.seq &&
          before.contexts.newest === contexts.newest))
  }

  /** Keeps what this run leaves. */
  keep({ owner, row, contexts }: TalkState): void {
    // An append reads no metadata, which can be long.
    this.#talks.set(this.#session, { ...copyOf({ owner, row: { ...row, metadata: null }, contexts }), isTrusted: this.#isTrusted })
  }

  /** Notes a batch that may be stored: a later run looks for it first. */
  mayHaveStored(batch: Unknown<Result>): void {
    this.#unknown.push(batch)
  }
}

import { sql } from 'kysely'
import { growingCache } from '../../caches/growing-cache.ts'
import type { PartitionRow } from '../partitions.ts'
import { holds, type SingleStep } from '../program.ts'
import type { SessionTable } from '../schema.ts'
import { statement } from '../statement.ts'
import type { ContextsAround } from './contexts-around.ts'
import { countersSet, type SessionCounters } from './sessions.ts'

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
  /** False where somebody else wrote between the last two appends, or the last one was sent before: that may happen again. */
  readonly isTrusted: boolean
  /** True when something of the owner is remembered as forgotten; undefined while nobody looked. */
  readonly isForgetful: boolean | undefined
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
    .where(
      sql`(select ${d.sum(sql<number>`epoch + ${sql.lit(oneMore)}`)} from partition as near where id in ${d.numbers(p('around'))})`,
      '=',
      p('epochs'),
    ),
)

/** Changes a session's counters where all of them are as they were. */
const sessionFrom = statement<SessionChange>()((db, p, d) =>
  db
    .updateTable('session')
    .set(countersSet(p))
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

/** Names that are stored for the first time. */
interface NewNames {
  /** The owners whose forgotten messages are remembered, as namesOfForgotten gives them. */
  readonly owners: string
  /** A JSON list. */
  readonly externalIds: string
}

/** Finds a row where the session has none of some external ids, and nothing of its owner is remembered as forgotten. */
const newNames = statement<NewNames & { partition: number; session: number }>()((db, p, d) =>
  db
    .selectFrom('partition')
    .select('id')
    .where('id', '=', p('partition'))
    .where((e) =>
      e.not(
        e.exists(
          db
            .selectFrom('forgotten_id')
            .select('ord')
            .where('owner', 'in', d.ids(p('owners'))),
        ),
      ),
    )
    .where((e) =>
      e.not(
        e.exists(
          db
            .selectFrom('message')
            .select('ord')
            .where('session_id', '=', p('session'))
            .$call(d.within(p('partition')))
            .where('external_id', 'in', d.texts(p('externalIds'))),
        ),
      ),
    ),
)

/**
 * Returns the steps that take a partition and a session from one state to another, and fail where they are in a third, or
 * have one of the names of new messages.
 */
export function changesFrom(from: TalkState, to: Pick<TalkState, 'owner' | 'row'>, names: NewNames | undefined): readonly SingleStep[] {
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
  return [
    holds(partitionFrom, { ...to.owner, ...oldOwner, ...near }),
    holds(sessionFrom, { ...to.row, ...oldRow, partition: to.owner.id }),
    ...(names === undefined ? [] : [holds(newNames, { ...names, partition: to.owner.id, session: to.row.id })]),
  ]
}

/**
 * What appends found and left, by session. The next append takes it for granted, writes at once, and lets the store check
 * it in the same round trip. Nothing that is kept here is believed: the check compares each value.
 */
export class KeptTalks {
  readonly #talks = growingCache<string, Kept>(mostTalks)

  /** Begins an append to a session, by its name in this process. */
  begin<Result>(of: AppendTo): Attempts<Result> {
    return new Attempts(this.#talks, of)
  }

  /** Forgets everything kept. Call it after a failed commit. */
  forget(): void {
    this.#talks.clear()
  }
}

/** The session of an append, by its name in this process. `owners` where its messages have external ids: see NewNames. */
export interface AppendTo {
  readonly session: string
  readonly owners?: string
}

/** Copies the rows of a state: an append counts in them. */
export function copyOf({ owner, row, contexts }: TalkState): TalkState {
  return { owner: { ...owner }, row: { ...row }, contexts }
}

/** The runs of one append. Its program may begin anew. */
export class Attempts<Result> {
  readonly #talks: Talks
  readonly #session: string
  readonly #owners: string | undefined
  readonly #unknown: Unknown<Result>[] = []
  #runs = 0
  #before: Kept | undefined
  #isTrusted = false
  #isForgetful: boolean | undefined

  constructor(talks: Talks, { session, owners }: AppendTo) {
    this.#talks = talks
    this.#session = session
    this.#owners = owners
  }

  /** The batches of earlier runs that may be stored. */
  get unknown(): readonly Unknown<Result>[] {
    return this.#unknown
  }

  /** The session's number at the last append. */
  get likelySession(): number | undefined {
    return this.#before?.row.id
  }

  /** Gives the names that must be new; undefined for messages without any. */
  namesOf(externalIds: readonly string[]): NewNames | undefined {
    return this.#owners === undefined ? undefined : { owners: this.#owners, externalIds: JSON.stringify(externalIds) }
  }

  /** Gives what may be taken for granted, in the first run alone. A second one reads what the store has. */
  take(): TalkState | undefined {
    this.#runs += 1
    this.#before = this.#talks.get(this.#session)
    this.#talks.delete(this.#session)
    this.#isForgetful = this.#before?.isForgetful
    this.#isTrusted = this.#runs === 1 && this.#before?.isTrusted === true
    return this.#isTrusted && (this.#owners === undefined || this.#isForgetful === false) ? this.#before : undefined
  }

  /** Notes what the store has. */
  found({ owner, row, contexts }: TalkState, isForgetful: boolean | undefined): void {
    const before = this.#before
    this.#isForgetful = isForgetful ?? this.#isForgetful
    this.#isTrusted =
      this.#runs === 1 &&
      (before === undefined ||
        (before.owner.seq === owner.seq &&
          before.owner.epoch === owner.epoch &&
          before.row.seq === row.seq &&
          before.contexts.newest === contexts.newest))
  }

  /** Keeps what this run leaves. `isNew`: none of its messages had been stored before. */
  keep({ owner, row, contexts }: TalkState, isNew: boolean): void {
    // An append reads no metadata, which can be long.
    const left = copyOf({ owner, row: { ...row, metadata: null }, contexts })
    this.#talks.set(this.#session, { ...left, isTrusted: this.#isTrusted && isNew, isForgetful: this.#isForgetful })
  }

  /** Notes a batch that may be stored: a later run looks for it first. */
  mayHaveStored(batch: Unknown<Result>): void {
    this.#unknown.push(batch)
  }
}

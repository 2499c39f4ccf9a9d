import { type PartitionId, partitionId } from '../../scope/partition.ts'
import { hashOfOwner } from '../log/forgotten-ids.ts'
import { sql } from 'kysely'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'
import { storeSecret } from '../store-secret.ts'
import { type Erased, type NameHashes, nameHashes } from './erases.ts'

/** Receipts that name single messages are left out: what rests on those is known by their ids. */
const ofOwner = statement<{ owner: Uint8Array; what: string }>()((db, p) =>
  db
    .selectFrom('receipt')
    .innerJoin('receipt_owner', 'receipt_owner.receipt', 'receipt.uuid')
    .select(['receipt.erased', 'receipt.created_at'])
    .where('receipt_owner.owner', '=', p('owner'))
    .where('receipt.erased', 'like', p('what'))
    .where('receipt.erased', 'not like', '%"ids":%')
    .where('receipt.erased', 'not like', '%"ordinals":%'),
)

const deletedByHand = ['block', 'document', 'notes'] as const satisfies readonly Erased['what'][]

/** Deletions by hand, without a forget: each names one thing by the hash of its name. */
const deletionsOf = statement<{ owner: Uint8Array }>()((db, p) =>
  db
    .selectFrom('receipt')
    .innerJoin('receipt_owner', 'receipt_owner.receipt', 'receipt.uuid')
    .select(['receipt.erased', 'receipt.created_at'])
    .where('receipt_owner.owner', '=', p('owner'))
    .where((e) => e.or(deletedByHand.map((what) => e('receipt.erased', 'like', sql<string>`${sql.lit(`{"what":"${what}"%`)}`)))),
)

/** Something that rests on no message, by its times. */
export interface Unsaid {
  readonly at: number
  readonly recordedAt: number
  /** The session in which an agent noted it: it goes with that session. */
  readonly notedIn?: string | undefined
}

interface Before {
  readonly before: number
  readonly at: number
}

/** What forgets and deletions took, with their times in UTC milliseconds. */
interface Taken {
  /** The newest forget of everything. */
  readonly whole: number
  readonly before: readonly Before[]
  /** By the hash of the session. */
  readonly sessions: ReadonlyMap<string, number>
  /** Deletions by hand, by the hash of the thing. Of notes it is the session's, which no other thing has. */
  readonly deleted: ReadonlyMap<string, number>
}

interface HashesOfOwner {
  session(name: string): string
  document(key: string): string
  block(session: string | undefined, name: string): string
}

/** What forgets and deletions by hand took of an owner, whole or by name, and when: in UTC milliseconds. */
export class PastForgets {
  /** The time of the newest forget of everything. */
  readonly all: number
  /** The time of the newest forget of everything, or of everything before a time. */
  readonly newest: number
  readonly #before: readonly Before[]
  readonly #sessions: ReadonlyMap<string, number>
  readonly #deleted: ReadonlyMap<string, number>
  readonly #hashOf: HashesOfOwner

  constructor({ whole, before, sessions, deleted }: Taken, hashOf: HashesOfOwner) {
    this.all = whole
    this.newest = before.reduce((newest, { at }) => Math.max(newest, at), whole)
    this.#before = before
    this.#sessions = sessions
    this.#deleted = deleted
    this.#hashOf = hashOf
  }

  /** Tells whether a forget took what a person had added, or an agent had noted. Such things go by the time of adding. */
  tookAdded({ at, recordedAt, notedIn }: Unsaid): boolean {
    if (notedIn !== undefined && this.tookSession(notedIn, recordedAt)) return true
    return recordedAt <= this.all || this.#before.some((one) => at < one.before && recordedAt <= one.at)
  }

  /** Tells whether everything of a session that was written by then was taken. */
  tookSession(name: string, writtenAt: number): boolean {
    return writtenAt <= this.all || (this.#sessions.size > 0 && writtenAt <= (this.#sessions.get(this.#hashOf.session(name)) ?? -Infinity))
  }

  /** Tells whether a document, as it was written by then, was deleted by hand. `key` is its name as names are compared. */
  deletedDocument(key: string, writtenAt: number): boolean {
    return this.#isDeleted(() => this.#hashOf.document(key), writtenAt)
  }

  deletedNotes(session: string, writtenAt: number): boolean {
    return this.#isDeleted(() => this.#hashOf.session(session), writtenAt)
  }

  deletedBlock(session: string | undefined, name: string, writtenAt: number): boolean {
    return this.#isDeleted(() => this.#hashOf.block(session, name), writtenAt)
  }

  #isDeleted(hash: () => string, writtenAt: number): boolean {
    return this.#deleted.size > 0 && writtenAt <= (this.#deleted.get(hash()) ?? -Infinity)
  }
}

/** Reads when an owner was forgotten from the receipts, the deletion of the project included. */
export function* pastForgets(partition: PartitionId): Program<PastForgets> {
  const hashes = nameHashes(yield* storeSecret())
  const forgets = yield* all(ofOwner, { owner: yield* hashOfOwner(partition), what: '%"what":"messages"%' })
  const ofProject = yield* hashOfOwner(partitionId(partition.project, { kind: 'shared' }))
  const ofProjects = yield* all(ofOwner, { owner: ofProject, what: '%"what":"project"%' })
  let whole = ofProjects.reduce((newest, { created_at: at }) => Math.max(newest, at), Number.NEGATIVE_INFINITY)
  const before: Before[] = []
  const sessions = new Map<string, number>()
  for (const { erased, created_at: at } of forgets) {
    const { all: isAll, before: until, session }: Partial<Erased> = JSON.parse(erased ?? '{}')
    if (isAll === true) whole = Math.max(whole, at)
    else if (session === undefined && until !== undefined) before.push({ before: until, at })
    else if (session !== undefined && until === undefined) sessions.set(session, Math.max(sessions.get(session) ?? at, at))
  }
  const deleted = yield* deletions(partition)
  return new PastForgets({ whole, before, sessions, deleted }, hashesOf(hashes, partition))
}

function hashesOf(hashes: NameHashes, partition: PartitionId): HashesOfOwner {
  return {
    session: (name) => hashes.session(partition, name),
    document: (key) => hashes.document(partition, key),
    block: (session, name) => hashes.block(partition, session, name),
  }
}

function* deletions(partition: PartitionId): Program<ReadonlyMap<string, number>> {
  const newest = new Map<string, number>()
  for (const { erased, created_at: at } of yield* all(deletionsOf, { owner: yield* hashOfOwner(partition) })) {
    const { name, session }: Partial<Erased> = JSON.parse(erased ?? '{}')
    const hash = name ?? session
    if (hash !== undefined) newest.set(hash, Math.max(newest.get(hash) ?? at, at))
  }
  return newest
}

import { type PartitionId, partitionId } from '../../scope/partition.ts'
import { hashOfOwner } from '../log/forgotten-ids.ts'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'
import { storeSecret } from '../store-secret.ts'
import { type Erased, nameHashes } from './erases.ts'

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

/** Something that rests on no message, by its times. */
export interface Unsaid {
  readonly at: number
  readonly recordedAt: number
}

interface Before {
  readonly before: number
  readonly at: number
}

/** When an owner was forgotten as a whole, up to a time, or in whole sessions. Times are UTC milliseconds. */
export class PastForgets {
  /** The time of the newest forget of everything. */
  readonly all: number
  /** The time of the newest forget of everything, or of everything before a time. */
  readonly newest: number
  readonly #before: readonly Before[]
  readonly #sessions: ReadonlyMap<string, number>
  readonly #hashOf: (session: string) => string

  constructor(all: number, before: readonly Before[], sessions: ReadonlyMap<string, number>, hashOf: (session: string) => string) {
    this.all = all
    this.newest = before.reduce((newest, { at }) => Math.max(newest, at), all)
    this.#before = before
    this.#sessions = sessions
    this.#hashOf = hashOf
  }

  /** Tells whether a forget took what a person had added. Such things go by the time of adding. */
  tookAdded({ at, recordedAt }: Unsaid): boolean {
    return recordedAt <= this.all || this.#before.some((one) => at < one.before && recordedAt <= one.at)
  }

  /** Tells whether everything of a session that was written by then was taken. */
  tookSession(name: string, writtenAt: number): boolean {
    return writtenAt <= this.all || (this.#sessions.size > 0 && writtenAt <= (this.#sessions.get(this.#hashOf(name)) ?? -Infinity))
  }
}

/** Reads when an owner was forgotten from the receipts, the deletion of the project included. */
export function* pastForgets(partition: PartitionId): Program<PastForgets> {
  const hashes = nameHashes(yield* storeSecret())
  const forgets = yield* all(ofOwner, { owner: yield* hashOfOwner(partition), what: '%"what":"messages"%' })
  const ofProject = yield* hashOfOwner(partitionId(partition.project, { kind: 'shared' }))
  const deletions = yield* all(ofOwner, { owner: ofProject, what: '%"what":"project"%' })
  let whole = deletions.reduce((newest, { created_at: at }) => Math.max(newest, at), Number.NEGATIVE_INFINITY)
  const before: Before[] = []
  const sessions = new Map<string, number>()
  for (const { erased, created_at: at } of forgets) {
    const { all: isAll, before: until, session }: Partial<Erased> = JSON.parse(erased ?? '{}')
    if (isAll === true) whole = Math.max(whole, at)
    else if (session === undefined && until !== undefined) before.push({ before: until, at })
    else if (session !== undefined && until === undefined) sessions.set(session, Math.max(sessions.get(session) ?? at, at))
  }
  return new PastForgets(whole, before, sessions, (name) => hashes.session(partition, name))
}

import { ordinalOf } from '../ids/message-id.ts'
import { type PartitionId, partitionId, projectName, type SessionName, sessionName } from '../scope/partition.ts'
import { nameHashes, type Erased, type Erases } from '../storage/erase/erases.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import { isInRuns, runsIn } from '../storage/erase/ordinal-runs.ts'
import {
  bankAge,
  blocksMadeBy,
  hasBankEntry,
  hasNewer,
  hasSaid,
  type MessagePlace,
  messagesInRun,
  movedMessage,
  movedMessages,
  pagesMadeBy,
  partitionMade,
  saidInSession,
  type SessionPlace,
  sessionHasNewer,
  sessionPlaces,
  sessionsShown,
} from '../storage/erase/replay-rows.ts'
import { bankActs, deedsKeptMs } from '../storage/deeds/deeds.ts'
import { deedsKeeping, stillKeeping } from '../storage/deeds/kept-by.ts'
import { itemsFedBy } from '../storage/derived/members.ts'
import { addedInstructions } from '../storage/derived/instructions.ts'
import { addedBefore } from '../storage/known/assertions.ts'
import { pageKinds } from '../storage/pages/pages.ts'
import { findDerived, findKnown, findPartition, ownerKinds, projectParts, nearTo } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { importsUnder } from '../storage/transfer/drop-imports.ts'
import { importsOf } from '../storage/transfer/imports.ts'
import { uuidBytes, uuidText } from '../storage/uuid-bytes.ts'
import type { Replaying } from './replaying.ts'

/** Says what an erasure has to take again, by its names. Nothing that came after the receipt's time is among it. */
export function* replayPlan(replaying: Replaying): Program<readonly Erases[]> {
  const { erased, at, owners } = replaying
  if (erased.what === 'kept') return keptOf(yield* stillKeeping(uuidsIn(erased.ids ?? '').map(uuidText)))
  const plan = yield* planOf(replaying)
  const of = owners.partition(erased.of)
  // Any of these may hold the erased words: their lines were never read.
  return of !== undefined && takesImports.has(erased.what) && !isOfOneImport(erased) ? [...plan, ...(yield* waitingIn(of, at))] : plan
}

function isOfOneImport({ what, ids }: Erased): boolean {
  return what === 'imports' && ids !== undefined
}

const takesImports: ReadonlySet<Erased['what']> = new Set(['messages', 'words', 'imports'])

function keptOf(ids: readonly string[]): readonly Erases[] {
  return ids.length === 0 ? [] : [{ what: 'kept', ids }]
}

function* waitingIn(of: PartitionId, at: number): Program<readonly Erases[]> {
  const owner = yield* findPartition(of)
  const waiting = owner === undefined ? [] : yield* importsUnder(owner, yield* nearTo(owner.id), at)
  return waiting.length === 0 ? [] : [{ what: 'imports', of, until: at }]
}

/** Returns the imports that a receipt names, each by itself. Their ids are given once, so their times do not matter. */
function* discardedIn(of: PartitionId, { ids }: Erased): Program<readonly Erases[]> {
  const owner = yield* findPartition(of)
  const named = uuidsIn(ids ?? '').map(uuidText)
  const here = owner === undefined ? [] : (yield* importsOf(owner.id)).map(({ uuid }) => uuidText(uuid))
  return here.filter((id) => named.includes(id)).map((id) => ({ what: 'imports', of, ids: [id] }))
}

function* planOf({ erased, at, now, secret, owners }: Replaying): Program<readonly Erases[]> {
  if (erased.what === 'project') return yield* ofProject(erased, at, owners)
  const of = owners.partition(erased.of)
  if (of === undefined) return []
  if (erased.what === 'imports') return yield* discardedIn(of, erased)
  if (erased.what === 'bank') return yield* ofBank(of, erased, { at, now, owners })
  if (erased.what === 'sharing' && erased.session === undefined) return yield* ofSharing(of, erased, at, owners)
  const owner = yield* standing(of, at)
  if (owner === undefined) return []
  const hashes = nameHashes(secret)
  if (erased.what === 'words') return messagesOf(of, yield* replacedAt(owner, erased, at))
  // The names of all sessions are read and hashed only for a receipt that names one.
  const sessions = erased.session !== undefined || erased.what === 'block' ? yield* sessionPlaces(owner) : []
  const session =
    erased.session === undefined ? undefined : sessions.find(({ external_id: name }) => hashes.session(of, name) === erased.session)
  if (erased.what === 'sharing')
    return session === undefined || session.share === 0 ? [] : [{ what: 'sharing', of, session: session.external_id }]
  if (erased.what === 'document') {
    const pages = (yield* pagesMadeBy(owner, at)).filter(({ kind }) => kind === pageKinds.document)
    return pages
      .filter(({ name_key: key }) => hashes.document(of, key) === erased.name)
      .map(({ name }) => ({ what: 'document', of, key: name }))
  }
  if (erased.what === 'notes') {
    const pages = (yield* pagesMadeBy(owner, at)).filter((page) => page.kind === pageKinds.notes && page.session_id === session?.id)
    return session === undefined ? [] : pages.map(() => ({ what: 'notes', of, session: session.external_id }))
  }
  if (erased.what === 'block') {
    const named = (yield* blocksMadeBy(owner, at)).map(({ session_id: id, name }) => ({ name, session: nameOf(sessions, id) }))
    return named.filter((one) => hashes.block(of, one.session, one.name) === erased.name).map((one) => ({ what: 'block', of, ...one }))
  }
  if (erased.all === true) return (yield* allOf(of, owner, at)).plan
  if (erased.ids !== undefined || erased.ordinals !== undefined) {
    const narrowed = (yield* messagesAt(owner, erased, at)).filter(
      ({ session_id: id, said_at: saidAt }) =>
        (erased.session === undefined || id === session?.id) && (erased.before === undefined || saidAt < erased.before),
    )
    return messagesOf(of, narrowed)
  }
  if (erased.session === undefined) return yield* saidBefore(of, owner, erased.before ?? 0, at)
  if (session === undefined) {
    const shown = (yield* sessionsShown(owner, at)).find((name) => hashes.session(of, name) === erased.session)
    return shown === undefined || erased.before !== undefined ? [] : [forgetting(of, { session: sessionName(shown) })]
  }
  return yield* ofSession(of, owner, session, erased.before, at)
}

function forgetting(of: PartitionId, selection: ForgetSelection): Erases {
  return { what: 'messages', of, selection }
}

function messagesOf(of: PartitionId, found: readonly MessagePlace[]): readonly Erases[] {
  return found.length === 0 ? [] : [forgetting(of, { messages: found.map(({ uuid }) => uuidText(uuid)) })]
}

/** Returns a partition's number, if it is as old as the receipt. */
function* standing(of: PartitionId, at: number): Program<number | undefined> {
  const owner = yield* findPartition(of)
  const made = owner === undefined ? undefined : yield* partitionMade(owner.id)
  return made === undefined || made.created_at > at ? undefined : owner?.id
}

function nameOf(sessions: readonly SessionPlace[], id: number): string | undefined {
  return sessions.find((session) => session.id === id)?.external_id
}

interface All {
  readonly plan: readonly Erases[]
  /** True when the partition has something that came since, or is that young itself. */
  readonly isNewer: boolean
}

function* allOf(of: PartitionId, owner: number, at: number): Program<All> {
  const known = (yield* findKnown(of))?.id
  if (!(yield* hasNewer(owner, known, at))) return { plan: [forgetting(of, { all: true })], isNewer: false }
  const plan: Erases[] = []
  const mixed: SessionPlace[] = []
  const sessions = yield* sessionPlaces(owner)
  for (const session of sessions.filter(({ created_at: madeAt }) => madeAt <= at)) {
    if (yield* sessionHasNewer(owner, session.id, at)) mixed.push(session)
    else plan.push(forgetting(of, { session: sessionName(session.external_id) }))
  }
  for (const session of mixed) plan.push(...(yield* ofSession(of, owner, session, undefined, at)))
  if (yield* hasByHand(owner, known, at + 1)) plan.push(forgetting(of, { before: Number.MAX_SAFE_INTEGER, recordedBy: at }))
  for (const page of yield* pagesMadeBy(owner, at))
    if (page.kind === pageKinds.document) plan.push({ what: 'document', of, key: page.name })
  for (const { session_id: id, name } of yield* blocksMadeBy(owner, at))
    if (id === 0) plan.push({ what: 'block', of, name, session: undefined })
  const derived = (yield* findDerived(of))?.id
  const partitions = [owner, known, derived].filter((id) => id !== undefined)
  plan.push(...keptOf(yield* deedsKeeping(partitions, { at })), ...(yield* waitingIn(of, at)))
  return { plan, isNewer: true }
}

function* ofSession(of: PartitionId, owner: number, row: SessionPlace, before: number | undefined, at: number): Program<readonly Erases[]> {
  const session: SessionName = sessionName(row.external_id)
  if (row.created_at > at) return []
  if (before === undefined && !(yield* sessionHasNewer(owner, row.id, at))) return [forgetting(of, { session })]
  const said = yield* saidInSession(owner, row.id, before ?? Number.MAX_SAFE_INTEGER, at)
  if (before !== undefined) return messagesOf(of, said)
  const pages = (yield* pagesMadeBy(owner, at)).filter((page) => page.kind === pageKinds.notes && page.session_id === row.id)
  const blocks = (yield* blocksMadeBy(owner, at)).filter((block) => block.session_id === row.id)
  return [
    ...messagesOf(of, said),
    ...pages.map((): Erases => ({ what: 'notes', of, session })),
    ...blocks.map(({ name }): Erases => ({ what: 'block', of, name, session })),
  ]
}

/** Tells whether a person added a fact or an instruction before a time. */
function* hasByHand(owner: number, known: number | undefined, before: number): Program<boolean> {
  if (known !== undefined && (yield* addedBefore(known, before, 1)).length > 0) return true
  return (yield* addedInstructions(owner, before)).length > 0
}

function* saidBefore(of: PartitionId, owner: number, before: number, at: number): Program<readonly Erases[]> {
  const selection = { before, recordedBy: at }
  const known = (yield* findKnown(of))?.id
  return (yield* hasSaid(owner, before, at)) || (yield* hasByHand(owner, known, Math.min(before, at + 1)))
    ? [forgetting(of, selection)]
    : []
}

/** Messages of a run that are read at once. */
const messagesAtOnce = 2_000

/** Returns the messages that a receipt names, if they were recorded by its time. */
function* messagesAt(
  owner: number,
  { ids, ordinals = '' }: Pick<Erased, 'ids' | 'ordinals'>,
  at: number,
): Program<readonly MessagePlace[]> {
  if (ids !== undefined) return (yield* messagesNamed(owner, uuidsIn(ids))).filter((one) => one.recorded_at <= at)
  const runs = runsIn(ordinals)
  const found: MessagePlace[] = []
  for (const [first, last] of runs) {
    for (let from = first; from <= last;) {
      const some = yield* messagesInRun(owner, from, last, messagesAtOnce)
      found.push(...some)
      from = some.length < messagesAtOnce ? last + 1 : (some.at(-1)?.ord ?? last) + 1
    }
  }
  const isNamed = ({ uuid }: MessagePlace): boolean => isInRuns(runs, ordinalOf(uuid))
  const moved = yield* movedMessages(owner)
  const all = new Map([...found, ...moved].map((one) => [one.ord, one]))
  return [...all.values()].filter((one) => one.recorded_at <= at && isNamed(one))
}

/** Returns those of some messages that are there, each by a look at its place: a receipt names few of many. */
function* messagesNamed(owner: number, uuids: readonly Uint8Array[]): Program<readonly MessagePlace[]> {
  const found = new Map<string, MessagePlace>()
  for (const uuid of uuids) {
    const [id, place] = [uuidText(uuid), ordinalOf(uuid)]
    const [there] = yield* messagesInRun(owner, place, place, 1)
    const one = there !== undefined && uuidText(there.uuid) === id ? there : yield* movedMessage(owner, uuid)
    if (one !== undefined) found.set(id, one)
  }
  return [...found.values()]
}

/** Returns a replaced message if it has its old words: where they stood then, or where it was first stored. */
function* replacedAt(owner: number, erased: Erased, at: number): Program<readonly MessagePlace[]> {
  const found = yield* messagesAt(owner, { ids: erased.ids ?? '' }, at)
  return found.filter(({ ord, uuid }) => ord === erased.ord || ord === ordinalOf(uuid))
}

function uuidsIn(ids: string): readonly Uint8Array[] {
  const bytes = Buffer.from(ids, 'base64url')
  return Array.from({ length: Math.floor(bytes.length / 16) }, (_, place) => Uint8Array.from(bytes.subarray(16 * place, 16 * place + 16)))
}

/** Of a bank that has newer entries nothing is taken: a digest tells of old and new together. */
function* ofBank(
  of: PartitionId,
  { entry, member, all, kept }: Erased,
  { at, now, owners }: Pick<Replaying, 'at' | 'now' | 'owners'>,
): Program<readonly Erases[]> {
  const bank = yield* findDerived(of)
  if (bank === undefined) return []
  // What can no longer be taken back is not kept anew.
  const isKept = kept === true && at + deedsKeptMs > now
  if (entry !== undefined) {
    const uuid = uuidBytes(entry)
    return uuid !== undefined && (yield* hasBankEntry(bank.id, uuid)) ? [{ what: 'bank', of, entry, isKept }] : []
  }
  const { entries, newest } = yield* bankAge(bank.id, at)
  const only = member === undefined ? undefined : owners.partition(member)
  if (all !== true && only === undefined) return []
  const id = only === undefined ? undefined : ((yield* findPartition(only))?.id ?? 0)
  const texts = kept === true ? [] : yield* deedsKeeping([bank.id], { at, acts: bankActs, member: id })
  const fed = id === undefined ? entries : (yield* itemsFedBy(bank.id, id)).length
  const clears: readonly Erases[] = fed > 0 && newest <= at ? [{ what: 'bank', of, member: only, isKept }] : []
  return [...keptOf(texts), ...clears]
}

function* ofSharing(of: PartitionId, { answers }: Erased, at: number, owners: Replaying['owners']): Program<readonly Erases[]> {
  if (answers === true) {
    const since = owners.answersSince(of.project)
    return since === undefined || since > at ? [] : [{ what: 'sharing', of, answers }]
  }
  if (of.owner.kind === 'shared') {
    const since = owners.sharingSince(of.project)
    return since === undefined || since > at ? [] : [{ what: 'sharing', of }]
  }
  const owner = yield* standing(of, at)
  const made = owner === undefined ? undefined : yield* partitionMade(owner)
  return made?.share === 1 ? [{ what: 'sharing', of }] : []
}

function* ofProject({ of }: Erased, at: number, owners: Replaying['owners']): Program<readonly Erases[]> {
  const name = owners.project(of)
  // Its owners are read as they are now: a user who came after the hashes were made is one of them.
  const parts = name === undefined ? undefined : yield* projectParts(name)
  if (name === undefined || parts === undefined || parts.createdAt > at) return []
  const plans: All[] = []
  for (const { id, owner_kind: kind, owner } of parts.partitions) {
    if (kind > ownerKinds.shared) continue
    const made = yield* partitionMade(id)
    if (made === undefined) continue
    plans.push(made.created_at > at ? { plan: [], isNewer: true } : yield* allOf(partitionOf(name, kind, owner), id, at))
  }
  return plans.some(({ isNewer }) => isNewer) ? plans.flatMap(({ plan }) => plan) : [{ what: 'project', project: name }]
}

/** Makes the partition of a stored owner. */
export function partitionOf(project: string, kind: number, owner: string): PartitionId {
  const name = projectName(project)
  if (kind === 0) return partitionId(name, { kind: 'user', name: owner })
  return partitionId(name, { kind: kind === 1 ? 'anonymous' : 'shared' })
}

import { ordinalOf } from '../../ids/message-id.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import type { PartitionId } from '../../scope/partition.ts'
import { keyedHash } from '../../signing/keyed-hash.ts'
import { keyOf } from '../partitions.ts'
import { uuidBytes } from '../uuid-bytes.ts'
import type { ForgetSelection } from './forget-selection.ts'
import { runsText } from './ordinal-runs.ts'

/** What an erasure takes, by its names. */
export type Erases =
  | { readonly what: 'messages'; readonly of: PartitionId; readonly selection: ForgetSelection }
  /** The words of a message that was replaced. */
  | { readonly what: 'words'; readonly of: PartitionId; readonly message: string; readonly ord: number }
  | { readonly what: 'project'; readonly project: string }
  /** `key` is the name in the form in which names are compared. */
  | { readonly what: 'document'; readonly of: PartitionId; readonly key: string }
  | { readonly what: 'notes'; readonly of: PartitionId; readonly session: string }
  | { readonly what: 'block'; readonly of: PartitionId; readonly name: string; readonly session: string | undefined }
  /**
   * One entry of a bank with all below it; or all entries, of a shared bank those of one member. `isKept`: the words are
   * kept, so that it can be taken back.
   */
  | {
      readonly what: 'bank'
      readonly of: PartitionId
      readonly entry?: string
      readonly member?: PartitionId | undefined
      readonly isKept: boolean
    }
  /** What a project, a user or a session shared, withdrawn; with `answers`, because assistants' answers are shared no longer. */
  | { readonly what: 'sharing'; readonly of: PartitionId; readonly session?: string; readonly answers?: true }
  /** The texts kept for some changes, by the changes' ids. */
  | { readonly what: 'kept'; readonly ids: readonly string[] }
  /** The imports that were not done: those that came by `until`, or those with some ids. */
  | { readonly what: 'imports'; readonly of: PartitionId; readonly until: number; readonly ids?: never }
  | { readonly what: 'imports'; readonly of: PartitionId; readonly ids: readonly string[] }

/**
 * What an erasure took, as its receipt says it: names are hashes with the store's secret, which a backup of the store
 * has too. No text and no name can be read from it.
 */
export interface Erased {
  readonly what: Erases['what']
  /** Hash of project and user; for a project, of its name; for kept texts, of the store. */
  readonly of: string
  readonly all?: true
  /** Hash of the session. */
  readonly session?: string
  /** UTC milliseconds, strict, by the time of saying. */
  readonly before?: number
  /** Ids of messages, of imports, or of changes whose kept texts went: 16 bytes each, base64url. */
  readonly ids?: string
  /** In place of more than 1,000 ids: the messages' first ordinals (ordinal-runs.ts). */
  readonly ordinals?: string
  /** The ordinal at which a replaced message had its old words. */
  readonly ord?: number
  /** Hash of the name of a document or block. */
  readonly name?: string
  /** The id of an entry of a bank. */
  readonly entry?: string
  /** Hash of a member of a shared bank. */
  readonly member?: string
  /** The words of a bank were kept, so that it could be taken back. */
  readonly kept?: true
  /** Assistants' answers were no longer shared. */
  readonly answers?: true
}

/** A receipt that is to be written: its id, and what its erasure takes. A bare id says nothing of that. */
export type NewReceipt = string | { readonly id: string; readonly erases: Erases }

/** Begins the receipt of an erasure. */
export function newReceipt(now: number, erases: Erases): NewReceipt {
  return { id: uuidv7(now), erases }
}

export function receiptIdOf(receipt: NewReceipt): string {
  return typeof receipt === 'string' ? receipt : receipt.id
}

/** The most ids that a receipt names one by one: 22 KB. */
const mostIds = 1_000

/** Hashes of names with a store's secret. */
export interface NameHashes {
  store(): string
  project(name: string): string
  owner(partition: PartitionId): string
  session(partition: PartitionId, name: string): string
  document(partition: PartitionId, key: string): string
  block(partition: PartitionId, session: string | undefined, name: string): string
}

export function nameHashes(secret: string): NameHashes {
  const ownerOf = (partition: PartitionId): (string | number)[] => {
    const { project, kind, owner } = keyOf(partition)
    return [project, kind, owner]
  }
  return {
    store: () => keyedHash(secret, 'store'),
    project: (name) => keyedHash(secret, 'project', name),
    owner: (partition) => keyedHash(secret, 'owner', ...ownerOf(partition)),
    session: (partition, name) => keyedHash(secret, 'session', ...ownerOf(partition), name),
    document: (partition, key) => keyedHash(secret, 'document', ...ownerOf(partition), key),
    block: (partition, session, name) =>
      keyedHash(secret, 'block', ...ownerOf(partition), ...(session === undefined ? [name] : [name, session])),
  }
}

/** Says what an erasure took, without its names. */
export function erasedOf(erases: Erases, secret: string): Erased {
  const hashes = nameHashes(secret)
  if (erases.what === 'project') return { what: 'project', of: hashes.project(erases.project) }
  if (erases.what === 'kept') return { what: 'kept', of: hashes.store(), ids: idsText(erases.ids) }
  const { what, of } = erases
  const owner = { what, of: hashes.owner(of) }
  if (what === 'messages') return { ...owner, ...selectionOf(erases.selection, of, hashes) }
  if (what === 'words') return { ...owner, ids: idsText([erases.message]), ord: erases.ord }
  if (what === 'document') return { ...owner, name: hashes.document(of, erases.key) }
  if (what === 'block') return { ...owner, name: hashes.block(of, erases.session, erases.name) }
  if (what === 'bank') {
    const { entry, member, isKept } = erases
    return {
      ...owner,
      ...(entry === undefined ? {} : { entry }),
      ...(member === undefined ? {} : { member: hashes.owner(member) }),
      ...(entry === undefined && member === undefined ? { all: true } : {}),
      ...(isKept ? { kept: true } : {}),
    }
  }
  if (what === 'imports') return { ...owner, ...(erases.ids === undefined ? { all: true } : { ids: idsText(erases.ids) }) }
  if (what === 'sharing' && erases.answers === true) return { ...owner, answers: true }
  return erases.session === undefined ? { ...owner, all: true } : { ...owner, session: hashes.session(of, erases.session) }
}

function selectionOf(
  { all, session, before, messages }: ForgetSelection,
  of: PartitionId,
  hashes: NameHashes,
): Omit<Erased, 'what' | 'of'> {
  return {
    ...(all === true ? { all } : {}),
    ...(session === undefined ? {} : { session: hashes.session(of, session) }),
    ...(before === undefined ? {} : { before }),
    ...(messages === undefined ? {} : messages.length <= mostIds ? { ids: idsText(messages) } : { ordinals: ordinalsText(messages) }),
  }
}

function bytesOfIds(ids: readonly string[]): readonly Uint8Array[] {
  return ids.flatMap((id) => uuidBytes(id) ?? [])
}

function idsText(ids: readonly string[]): string {
  return Buffer.concat(bytesOfIds(ids)).toString('base64url')
}

function ordinalsText(ids: readonly string[]): string {
  return runsText(bytesOfIds(ids).map(ordinalOf))
}

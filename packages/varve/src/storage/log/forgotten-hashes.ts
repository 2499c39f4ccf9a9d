import { createHmac, type KeyObject } from 'node:crypto'
import { namedBy } from '../../messages/goes-with.ts'
import type { keyOf } from '../partitions.ts'

/** Bytes of a hash. An owner's is only the first part of a key: the other hash holds the owner too. */
const hashBytes = { owner: 8, digest: 16 } as const

/** A forgotten message: its session and external id by the caller's names, or its own id where it has no external one. */
export interface ForgottenMessage {
  readonly session: string
  readonly externalId: string | null
  readonly id: string
}

/** A message that may have been forgotten, and when it was said, if anybody told. */
export interface DatedMessage extends ForgottenMessage {
  readonly saidAt?: number
}

export interface AskedMessage extends DatedMessage {
  readonly role: string
}

/** The words of a message that were replaced. Its name is none that a message may have: the message stands. */
export function replacedWords(session: string, externalId: string): ForgottenMessage {
  return { session, externalId: null, id: JSON.stringify(['replaced words', session, externalId]) }
}

/** Gives a message, and all whose erasure keeps it away: one of the system goes with those that its id names. */
export function keptAwayWith(message: AskedMessage): readonly ForgottenMessage[] {
  const { session, id } = message
  return [message, ...namedBy(message).flatMap((one) => [{ session, externalId: one, id }, replacedWords(session, one)])]
}

export type ForgetfulOwner = ReturnType<typeof keyOf>

// A key of bytes takes Node five times as long, at each hash, as a key that was made once.
function hmac(key: string | KeyObject, what: readonly unknown[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(what)).digest()
}

/** The hashes under which an owner's rows stand, the own ones and those that strangers brought, and the key of the own. */
export function keysOf(
  key: string,
  { project, kind, owner }: ForgetfulOwner,
): { readonly own: Buffer; readonly strangers: Buffer; readonly secret: Buffer } {
  return {
    own: hmac(key, ['forgotten owner', project, kind, owner]).subarray(0, hashBytes.owner),
    strangers: hmac(key, ['forgotten by strangers', project, kind, owner]).subarray(0, hashBytes.owner),
    secret: hmac(key, ['forgotten key', project, kind, owner]),
  }
}

export function digestOf(secret: KeyObject, { session, externalId, id }: ForgottenMessage): Buffer {
  const what = externalId === null ? ['forgotten message', id] : ['forgotten id', session, externalId]
  return hmac(secret, what).subarray(0, hashBytes.digest)
}

/** Makes the hash of an external id from before schema 11. */
export function digestBefore11(
  key: string,
  { project, kind, owner }: ForgetfulOwner,
  { session, externalId }: ForgottenMessage,
): readonly Buffer[] {
  if (externalId === null) return []
  return [hmac(key, ['forgotten id', session, externalId, project, kind, owner]).subarray(0, hashBytes.digest)]
}

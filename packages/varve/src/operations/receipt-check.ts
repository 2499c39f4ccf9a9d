import type { KeyObject } from 'node:crypto'
import * as z from 'zod'
import { ed25519Key, type SigningKeys } from '../signing/keys.ts'
import type { SignedBy } from '../signing/signatures.ts'
import { checkReceipt } from '../storage/erase/receipt-signature.ts'
import type { Receipt } from '../storage/erase/receipts.ts'

/** The shape of a receipt that comes from outside. Fields that are not signed are passed over. */
const receiptShape = () =>
  z.object({
    id: z.string().min(1).max(100),
    counts: z.record(z.string(), z.number()),
    logical: z.literal('done'),
    physical: z.enum(['pending', 'done']),
    at: z.number(),
    doneAt: z.exactOptional(z.number()),
    reason: z.exactOptional(z.string()),
    erased: z.exactOptional(
      z
        .object({
          what: z.enum(['messages', 'words', 'project', 'document', 'notes', 'block', 'bank', 'sharing', 'kept', 'imports']),
          of: z.string(),
          all: z.exactOptional(z.literal(true)),
          session: z.exactOptional(z.string()),
          before: z.exactOptional(z.number()),
          ids: z.exactOptional(z.string()),
          ordinals: z.exactOptional(z.string()),
          ord: z.exactOptional(z.number()),
          name: z.exactOptional(z.string()),
          entry: z.exactOptional(z.string()),
          member: z.exactOptional(z.string()),
          kept: z.exactOptional(z.literal(true)),
          answers: z.exactOptional(z.literal(true)),
          // Fields of a later Varve: the signatures cover them too. None of them holds more than a value.
        })
        .catchall(z.union([z.string(), z.number(), z.boolean()])),
    ),
    signatures: z.exactOptional(z.array(z.object({ by: z.enum(['store', 'ed25519']), keyId: z.string(), value: z.string() })).max(10)),
  })

let shape: ReturnType<typeof receiptShape> | undefined

/** Reads a receipt from outside; undefined when it is none. */
export function parsedReceipt(received: unknown): Receipt | undefined {
  shape ??= receiptShape()
  const { success, data } = shape.safeParse(received)
  return success && !hasPrototype(received) ? data : undefined
}

/** Tells whether an object has a field `__proto__`. It would be dropped, and the rest would verify as if it had not been there. */
function hasPrototype(received: unknown): boolean {
  const objects = [received, fieldOf(received, 'counts'), fieldOf(received, 'erased')]
  return objects.some((one) => typeof one === 'object' && one !== null && Object.hasOwn(one, '__proto__'))
}

function fieldOf(received: unknown, name: string): unknown {
  return typeof received === 'object' && received !== null && name in received ? Reflect.get(received, name) : undefined
}

/** What the signatures of a receipt are worth. */
export interface ReceiptCheck {
  readonly id: string
  /**
   * `verified`: it is as it was signed. `failed`: it was changed. `unknown`: it is signed by keys that are not at hand.
   * `unsigned`: it is of an older Varve.
   */
  readonly state: 'verified' | 'failed' | 'unknown' | 'unsigned'
  /** The keys that vouch for it; for `failed`, the key whose signature is wrong; for `unknown`, the keys that signed. */
  readonly by: readonly SignedBy[]
}

/** Checks a receipt with the keys at hand. */
export function checkOf(keys: SigningKeys, receipt: Receipt): ReceiptCheck {
  const check = checkReceipt(keys, receipt)
  const by = check.state === 'unsigned' ? [] : check.state === 'failed' ? [check.by] : check.by
  return { id: receipt.id, state: check.state, by }
}

/**
 * Verifies a receipt by an Ed25519 public key alone: PEM or KeyObject. Needs no memory and no store.
 *
 * @throws {VarveError} CONFIGURATION_INVALID for another key
 */
export function verifyReceipt(receipt: Receipt, key: string | KeyObject): ReceiptCheck {
  return checkOf({ purpose: 'receipts', ed25519: [ed25519Key(key, 'key')] }, receipt)
}

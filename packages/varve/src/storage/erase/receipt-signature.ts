import { canonicalJson } from '../../signing/canonical.ts'
import type { SigningKeys } from '../../signing/keys.ts'
import { checkSignatures, type Signature, type SignatureCheck, signaturesOf } from '../../signing/signatures.ts'

/** The fields of a receipt that count here. */
interface Signable {
  readonly id: string
  readonly counts: Readonly<Record<string, number>>
  readonly logical: string
  readonly physical: string
  readonly at: number
  readonly doneAt?: number | undefined
  readonly erased?: object | undefined
  readonly signatures?: readonly Signature[] | undefined
}

/** Gives the content that the signatures of a receipt cover. The reason of a delay is left out: each attempt may have another. */
function signedContent({ id, counts, logical, physical, at, doneAt, erased }: Signable): Uint8Array {
  return Buffer.from(canonicalJson({ id, counts, logical, physical, at, doneAt, erased }))
}

/** Signs a receipt as it is now. When the words are gone from the files as well, it is signed anew. */
export function signReceipt(keys: SigningKeys, receipt: Signable): readonly Signature[] {
  return signaturesOf(keys, signedContent(receipt))
}

/** Checks the signatures of a receipt with the keys at hand. A receipt of an older Varve is unsigned. */
export function checkReceipt(keys: SigningKeys, receipt: Signable): SignatureCheck {
  return checkSignatures(keys, signedContent(receipt), receipt.signatures ?? [])
}

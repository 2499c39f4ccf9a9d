import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from './canonical.ts'
import type { StoreSigningKey } from './keys.ts'

const endBytes = 6
/** 128 bits of the code: nobody guesses one within its life. */
const codeBytes = 16

/** Makes a token for a matter that was shown, until a time in milliseconds. It holds the time and a code, and nothing of the matter. */
export function confirmToken(key: StoreSigningKey, matter: object, until: number): string {
  const end = Buffer.alloc(endBytes)
  end.writeUIntBE(Math.trunc(until), 0, endBytes)
  return Buffer.concat([end, code(key, matter, end)]).toString('base64url')
}

/** Tells whether a token was made for this matter by this key, and its time is not over. */
export function isConfirmed(key: StoreSigningKey, matter: object, token: string, now: number): boolean {
  const bytes = Buffer.from(token, 'base64url')
  // Several texts decode to the same bytes; only one of them was given out.
  if (bytes.length !== endBytes + codeBytes || bytes.toString('base64url') !== token) return false
  const end = bytes.subarray(0, endBytes)
  return timingSafeEqual(bytes.subarray(endBytes), code(key, matter, end)) && end.readUIntBE(0, endBytes) > now
}

function code({ purpose, secret }: StoreSigningKey, matter: object, end: Uint8Array): Buffer {
  return createHmac('sha256', secret)
    .update(`varve confirm ${purpose} 1\0`)
    .update(end)
    .update(canonicalJson(matter))
    .digest()
    .subarray(0, codeBytes)
}

import { createHmac } from 'node:crypto'

const hashBytes = 16

/** Hashes names with the store's secret: base64url. Whoever lacks the secret can neither read nor guess a name from it. */
export function keyedHash(secret: string, ...names: readonly (string | number)[]): string {
  const whole = createHmac('sha256', secret).update('varve names 1\0').update(JSON.stringify(names)).digest()
  return whole.toString('base64url', 0, hashBytes)
}

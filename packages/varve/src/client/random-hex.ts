/** Gives 128 random bits as text. Pages without TLS have no crypto.randomUUID. */
export function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Gives 128 random bits as text. Pages without TLS have no crypto.randomUUID. */
export function randomText(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

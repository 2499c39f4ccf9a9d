/**
 * The bounds above which messages without a vector are told: both this count and this share. The newest messages have
 * no vector for a moment.
 */
const toldCount = 50
const toldShare = 0.1

export function isTold(without: number, messages: number): boolean {
  return without > toldCount && without > messages * toldShare
}

export function noVectors(without: number, messages: number): string {
  return `words only for ${without} of ${messages} messages: they have no vector yet`
}

export function endedEarly(hits: number): string {
  return `ended early: the best ${hits} ${hits === 1 ? 'message comes' : 'messages come'} to 16 MiB of text, the most of one answer`
}

/** Tells which messages of a partition over the bound were searched. `far`: old ones were searched by meaning too. */
export function partialIndex(held: number, messages: number, far: { readonly lacksSome: boolean } | undefined): string {
  const newest = `partial index: the newest ${held} of ${messages} messages were searched`
  if (far === undefined) return newest
  return `${newest}, and older ones by meaning alone${far.lacksSome ? ', as far as their vectors are copied' : ''}`
}

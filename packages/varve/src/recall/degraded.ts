/**
 * Messages without a vector that are worth telling: over so many, and over this share. A moment after they were
 * stored, the newest have none.
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

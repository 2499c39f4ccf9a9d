import { regex } from '../../word-lists.ts'

const subject = /^(?:i|i'm|im|i've|ive|my|we|we're|we've|our)\b/iu
const bindsNext = regex('iu')`\b(?:imagine|pretend|suppose|say|says|said|if|when|thinks?|thought|told|wrote|dream\p{L}*|wish|hope|lyrics|
  song|poem|story)\b|\b(?:and|or|but|that|because|as|than|where|what|who|while|though|so|since|until|before|after|to|of|with|for|like|
  [,–—-])\s*$`

/** Tells whether a line is a sentence of its own beside a short line before it, as lines are in chats. */
export function isSentBeside(before: string, line: string): boolean {
  return before.length < 60 && /\S \S+ \S/u.test(before) && subject.test(line) && !bindsNext.test(before.replaceAll('’', "'"))
}

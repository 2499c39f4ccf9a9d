/**
 * The order in time that a question asks for: the newest or the oldest statement of a thing, or how things followed each
 * other.
 */
export type AskedOrder = 'newest' | 'oldest' | 'all'

const through = new RegExp(
  String.raw`\b(?:in (?:what|which) order|(?:the|in) order\b(?! (?:to|for|that|of magnitude)\b)|chronolog\w*|` +
    String.raw`(?:the|what) sequence of|timeline|over time)\b`,
  'i',
)
const newest = /\b(?:current(?:ly)?|now|nowadays|latest|newest|most recent(?:ly)?|these days|at the moment|at present|still)\b/i
const oldest = /\b(?:original(?:ly)?|initial(?:ly)?|at first|in the beginning|(?:the )?(?:first|earliest) (?:time|thing)|used to)\b/i

/** Reads the order that a question asks for. English. */
export function askedOrder(question: string): AskedOrder | undefined {
  if (through.test(question)) return 'all'
  const [present, past] = [newest.test(question), oldest.test(question)]
  return present === past ? undefined : present ? 'newest' : 'oldest'
}

const past = /\b(?:did|was|were|had|earlier|ago|back then|in the past|(?:my|our|your|the) (?:old|last))\b/i
/** Words of the past that "now" does not outweigh: "where did I live before my current flat". */
const longAgo = new RegExp(
  String.raw`\b(?:used to|previous(?:ly)?|former(?:ly)?|original(?:ly)?|(?:did|was|were|had)\b.*\bbefore|before (?:that|then|now)|` +
    String.raw`history of|(?:the|its|their|whole|full) history|how\b.*\bchanged?|(?:has|have|had|what) changed|evolved?)\b|\bbefore\W*$`,
  'i',
)
/** "What did I say my rent is", "what was the code again": told in the past, and asked about now. */
const toldThen = /\b(?:did|had) (?:i|we|you)\b.*\b(?:is|are|am|do|does|has|have|should|can)\b|\bagain\W*$/i

/** The time that a question asks about: the things that hold now, or those that held and how they changed. */
export type AskedTime = 'present' | 'past'

/** Reads the time that a question asks about: the present, unless its words say another. English. */
export function askedTime(question: string): AskedTime {
  if (longAgo.test(question) || through.test(question)) return 'past'
  if (newest.test(question) || toldThen.test(question)) return 'present'
  return past.test(question) || oldest.test(question) ? 'past' : 'present'
}

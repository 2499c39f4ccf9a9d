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

/** The person whose words a question is about: the user who asks, the assistant, both, or neither of them by word. */
export type AskedPerson = 'user' | 'assistant' | 'both' | 'neither'

/** Polite words and requests, which say "you" and "me" of nobody's earlier words: "can you tell me", "would you suggest". */
const polite = new RegExp(
  String.raw`\b(?:can|could|would|will) you(?: please)?\b|\b(?:would|do) you (?:suggest|recommend|advise|think)\b|` +
    String.raw`\b(?:tell|show|give|remind|help|walk|let|teach|guide|take) me\b`,
  'gi',
)
const ofMyself = /\b(?:i|me|my|mine|myself)\b/i
/** Who did it: "what did we decide about my oven", "what did I say before we stopped". */
const together = /\bwe\b/i
const alone = /\bi\b/i
const ofUs = /\b(?:we|us|our|ours)\b/i
const ofYou = /\b(?:you|your|yours)\b/i

/** Reads whose words a question is about: "what did I say", "what did you recommend". English; else `neither`. */
export function askedPerson(question: string): AskedPerson {
  const told = question.replaceAll(polite, ' ')
  const [mine, yours] = [ofMyself.test(told), ofYou.test(told)]
  if (mine && (yours || (together.test(told) && !alone.test(told)))) return 'both'
  if (mine) return 'user'
  if (yours) return 'assistant'
  return ofUs.test(told) ? 'both' : 'neither'
}

import { estimate, filesTokens, messageTokens, textsOf } from './estimate.ts'
import { readTurn } from './read-turn.ts'

/**
 * About how many messages with parts or tool calls are weighed: each stands for others. A message of words alone tells
 * its length at once.
 */
const mostWeighed = 1_500
/** The messages whose tokens are estimated, and the characters that are read of each of their texts: some 2 ms. */
const mostRead = 48
const charactersPerText = 200
/** Deeper values of a message are not weighed. No real message is nested deeper. */
const deepest = 32

/**
 * Estimates the tokens of a conversation of thousands of messages in a few ms. Uses the lengths of all messages of
 * words alone and of some others. Takes the density from a few dozen messages at even distances of length.
 */
export function longConversationTokens(messages: readonly object[]): number {
  const { read, weight } = weighed(messages)
  let perCharacter = 0
  for (const message of read) perCharacter += tokensOf(message) / weightOf(message, 0) / read.length
  return Math.round(weight * perCharacter)
}

function weighed(messages: readonly object[]): { readonly read: readonly object[]; readonly weight: number } {
  const weights = new Float64Array(messages.length)
  const share = Math.min(1, mostWeighed / messages.length)
  let weight = 0
  for (const [place, message] of messages.entries()) {
    const own = lengthOfWords(message) ?? (isChosen(place, share) ? weightOf(message, 0) / share : 0)
    weights[place] = own
    weight += own
  }
  return { read: atEvenDistances(messages, weights, weight), weight }
}

/** Chooses a share of all places, spread by the golden ratio: no order of messages has that period. */
function isChosen(place: number, share: number): boolean {
  return (place * goldenRatio) % 1 < share
}

const goldenRatio = 0.618_033_988_749_895

function atEvenDistances(messages: readonly object[], weights: Float64Array, weight: number): object[] {
  const read: object[] = []
  let passed = 0
  for (const [place, message] of messages.entries()) {
    passed += weights[place] ?? 0
    while (passed > ((read.length + 0.5) * weight) / mostRead) read.push(message)
  }
  return read
}

/** Gives the weight of a message of words alone, nearly as `weightOf` does; undefined for any other. */
function lengthOfWords(message: object): number | undefined {
  if (
    !('content' in message) ||
    typeof message.content !== 'string' ||
    'tool_calls' in message ||
    'function_call' in message ||
    'parts' in message
  )
    return undefined
  return message.content.length + outside
}

/** The length of a role's name, and one for each value. */
const outside = 9

function tokensOf(message: object): number {
  const turn = readTurn(message)
  return messageTokens + filesTokens(turn) + textsOf(turn).reduce((sum, text) => sum + estimate(text, charactersPerText), 0)
}

/** Counts the characters of all texts in a message, without reading them. */
export function weightOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth > deepest) return 1
  let sum = 1
  for (const inner of Object.values(value)) sum += weightOf(inner, depth + 1)
  return sum
}

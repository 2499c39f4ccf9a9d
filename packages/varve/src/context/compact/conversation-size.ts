import { estimateTokenCount } from 'tokenx'
import { filesTokens, messageTokens, textsOf } from './estimate.ts'
import { longConversationTokens, weightOf } from './long-conversation.ts'
import { readTurn } from './read-turn.ts'

/**
 * Characters whose words one call counts: about 1 ms. Of longer texts it samples as many characters, in slices spread
 * over them.
 */
const mostCharacters = 12_000
const sliceCharacters = 160
/** In a longer list only some messages are read. */
const mostMessages = 1_000

interface Remembered {
  /** The characters of the message when it was counted. A message that grew is counted again. */
  readonly weight: number
  readonly tokens: number
}

/** Counts are dropped with their messages. */
const remembered = new WeakMap<object, Remembered>()

/**
 * Estimates a conversation's tokens, tools included. Each message is counted once, so that a list that grows costs only
 * its growth. A list of thousands is estimated as a whole: see long-conversation.ts.
 */
export function estimatedTokens(messages: readonly object[]): number {
  if (messages.length > mostMessages) return longConversationTokens(messages)
  let sum = 0
  const unseen: { message: object; weight: number }[] = []
  for (const message of messages) {
    const weight = weightOf(message, 0)
    const known = remembered.get(message)
    if (known?.weight === weight) sum += known.tokens
    else unseen.push({ message, weight })
  }
  return unseen.length === 0 ? sum : sum + count(unseen)
}

function count(unseen: readonly { message: object; weight: number }[]): number {
  const read = unseen.map(({ message, weight }) => {
    const turn = readTurn(message)
    return { message, weight, fixed: messageTokens + filesTokens(turn), texts: textsOf(turn) }
  })
  const characters = read.reduce((sum, { texts }) => sum + lengthOf(texts), 0)
  const perCharacter =
    characters <= mostCharacters
      ? undefined
      : density(
          read.flatMap(({ texts }) => texts),
          characters,
        )
  let sum = 0
  for (const { message, weight, fixed, texts } of read) {
    const tokens =
      fixed +
      (perCharacter === undefined
        ? texts.reduce((all, text) => all + estimateTokenCount(text), 0)
        : Math.round(lengthOf(texts) * perCharacter))
    remembered.set(message, { weight, tokens })
    sum += tokens
  }
  return sum
}

/** Gives tokens per character, by slices at even distances through all texts. */
function density(texts: readonly string[], characters: number): number {
  const stride = (characters * sliceCharacters) / mostCharacters
  let [next, passed, sampled, tokens] = [0, 0, 0, 0]
  for (const text of texts) {
    while (next < passed + text.length) {
      const slice = text.slice(next - passed, next - passed + sliceCharacters)
      tokens += estimateTokenCount(slice)
      sampled += slice.length
      next += Math.round(stride)
    }
    passed += text.length
  }
  return sampled === 0 ? 0 : tokens / sampled
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}

/** Tokens that a message costs beside its words. */
const perMessage = 4
/** Characters of a token: of English words, of JSON, and of scripts whose signs are words. Counted on o200k_base. */
const charactersPerToken = 4
/** Data in base64 is no text that a model reads. */
const longestWord = 2_000

/** Estimates the tokens of a message by the characters of all of its texts. */
export function roughTokens(message: unknown): number {
  return perMessage + Math.ceil(weightOf(message, 0) / charactersPerToken)
}

function weightOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return textWeight(value)
  if (typeof value !== 'object' || value === null || depth > 8 || ArrayBuffer.isView(value)) return 1
  return Object.entries(value).reduce(
    (sum, [name, one]) => (name === 'id' || name === 'type' || name === 'role' ? sum : sum + weightOf(one, depth + 1)),
    0,
  )
}

function textWeight(text: string): number {
  if (text.length > longestWord && !/\s/.test(text.slice(0, longestWord))) return longestWord
  // The signs of these scripts take about a token each: 4 of the weight.
  return text.length + 3 * (text.match(/[\u0E00-\u0E7F\u1000-\u109F\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/g)?.length ?? 0)
}

/** Tokens that a message costs beside its words. */
const perMessage = 4
/** Characters of a token of o200k_base, in English. */
const charactersPerToken = 4
/** Signs of scripts that take about a token each. The first characters of a text tell how many it has. */
const wideSigns = /[\u0E00-\u109F\u3040-\uD7AF]/g
/** Quotes, brackets, colons and digits, of which data has many: tokens are shorter there. */
const marksOfData = /["{}[\]:\d]/g
const charactersPerMark = 1.5
const mostSeen = 200
/** Data in base64 is no text that a model reads. */
const longestWord = 2_000
const word = /^[\w+/=:;,.-]{2000}/

/** Estimates the tokens of a message by the characters of all of its texts. */
export function roughTokens(message: unknown): number {
  return perMessage + Math.ceil(weightOf(message, 0) / charactersPerToken)
}

function weightOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return textWeight(value)
  if (typeof value !== 'object' || value === null || depth > 8 || ArrayBuffer.isView(value)) return 1
  return Object.entries(value).reduce((sum, [name, one]) => sum + (/^(?:id|type|role)$/.test(name) ? 0 : weightOf(one, depth + 1)), 0)
}

function textWeight(text: string): number {
  if (word.test(text)) return longestWord
  const seen = text.slice(0, mostSeen)
  const [wide, marks] = [wideSigns, marksOfData].map((signs) => seen.match(signs)?.length ?? 0)
  const more = (charactersPerToken - 1) * (wide ?? 0) + charactersPerMark * (marks ?? 0)
  return text.length * (1 + more / Math.max(1, seen.length))
}

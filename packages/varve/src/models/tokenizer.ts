/** Counts tokens exactly, for one encoding. Other models' counts differ: leave a margin of some 15 %. */
export interface Tokenizer {
  readonly name: string
  count(text: string): number
}

/** The o200k_base encoding. Loading its ranks takes 0.3 s and 30 MB: done in a worker thread, when a budget is first checked. */
export async function loadTokenizer(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a special token is text.
  const asText = { disallowedSpecial: new Set<string>() }
  return { name: 'o200k_base', count: (text) => countTokens(text, asText) }
}

// Longer than any word: letters, blanks, or marks without a break.
const unbroken = /[\p{L}\p{M}]{2001}|\s{2001}|[^\s\p{L}\p{N}]{2001}/u

/** Counting is quadratic in a run that has no break (60,000 Chinese characters: 35 s), so a text with over 2,000 is not counted at all. */
export function isCountable(text: string): boolean {
  return !unbroken.test(text)
}

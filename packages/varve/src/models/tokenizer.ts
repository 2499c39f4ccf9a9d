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

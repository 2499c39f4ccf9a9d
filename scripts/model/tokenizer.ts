/**
 * Returns the tokenizer's JSON without blanks, and without its cutting and padding to 128 tokens, which the library
 * leaves to its caller.
 */
export function compactTokenizer(text: string): string {
  const tokenizer: Record<string, unknown> = JSON.parse(text)
  delete tokenizer['truncation']
  delete tokenizer['padding']
  return JSON.stringify(tokenizer)
}

/**
 * Tokens that well-known models take in and give out at once, by the beginning of their names, for servers that do not
 * tell. Figures of the providers' own pages, the smallest of a family; a name's first match counts.
 */
const windows: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^gpt-5|^gpt-4\.1/, 256_000],
  [/^o[134](?:-|$)/, 128_000],
  [/^gpt-4o|^gpt-4-turbo|^chatgpt-4o/, 128_000],
  [/^gpt-3\.5-turbo/, 16_385],
  [/^claude-/, 200_000],
  [/^gemini-[12]/, 1_000_000],
  [/^(?:mistral|ministral|magistral|codestral|pixtral)-/, 32_000],
  [/^deepseek-(?:chat|reasoner)/, 64_000],
  [/^grok-/, 128_000],
  [/^command-(?:r|a)/, 128_000],
]

/** Gives the window of a well-known model, with or without the name of its maker before it: `openai/gpt-4o`. */
export function knownWindow(model: string): number | undefined {
  const name = model.toLowerCase().replace(/^.*\//, '')
  return windows.find(([beginning]) => beginning.test(name))?.[1]
}

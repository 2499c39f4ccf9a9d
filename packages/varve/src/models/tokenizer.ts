import { growingCache } from '../caches/growing-cache.ts'

/** Counts tokens exactly, for one encoding. Other models' counts differ: leave a margin of some 15 %. */
export interface Tokenizer {
  readonly name: string
  count(text: string): number
}

/** The most lines whose counts are remembered, and the most characters of such a line. Prompts repeat the same lines. */
const maxLines = 16_384
const maxLineCharacters = 2_000

/**
 * Loads the o200k_base encoding. Its ranks take 0.3 s and 30 MB: a worker thread loads it, when a budget is first
 * checked.
 *
 * It counts line by line, since no token crosses a line's end, except into white space, which is one with the break,
 * and into slashes.
 */
export async function loadTokenizer(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // A special token in a text is plain text.
  const asText = { disallowedSpecial: new Set<string>() }
  const known = growingCache<string, number>(maxLines)
  const countLine = (line: string): number => {
    const tokens = known.get(line) ?? countTokens(line, asText)
    if (line.length <= maxLineCharacters) known.set(line, tokens)
    return tokens
  }
  return { name: 'o200k_base', count: (text) => linesOf(text).reduce((sum, line) => sum + countLine(line), 0) }
}

/** The tokenizer of a place, loaded or loading. */
class LoadedTokenizer {
  readonly tokenizer = loadTokenizer()
}

/** A place that keeps one object of a class in memory: made at the first call, the same from then on. */
interface Keeper {
  keep<Kept extends object>(kind: abstract new (...args: never[]) => Kept, make: () => Kept): Kept
}

/** Returns the tokenizer that this place keeps. */
export function tokenizerIn(here: Keeper): Promise<Tokenizer> {
  return here.keep(LoadedTokenizer, () => new LoadedTokenizer()).tokenizer
}

const lineEnd = /(?<=\n)(?=[^\s/])/

function linesOf(text: string): readonly string[] {
  return text.includes('\n') ? text.split(lineEnd) : [text]
}

/** The longest run of letters, blanks or marks without a break; no word is longer. */
const longestRun = 2_000
const kinds = [/[\p{L}\p{M}]/u, /\s/u, /[^\s\p{L}\p{N}]/u] as const
const unbroken = /[\p{L}\p{M}]{2001}|\s{2001}|[^\s\p{L}\p{N}]{2001}/u

/**
 * Tells whether a text can be counted. Counting is quadratic in a run without a break (60,000 Chinese characters: 35
 * s). So a text with a run over 2,000 is not counted at all.
 */
export function isCountable(text: string): boolean {
  // A longer run crosses one of these places: most texts need no further look.
  for (let place = 0; place < text.length; place += longestRun) if (runAround(text, place) > longestRun) return !unbroken.test(text)
  return true
}

/**
 * Returns the length of the run of one kind at a place, up to just too long. A half of a surrogate pair counts as too
 * long; further on, halves count as any kind.
 */
function runAround(text: string, place: number): number {
  if (isHalf(text.charCodeAt(place))) return longestRun + 1
  const kind = kinds.find((one) => one.test(text.charAt(place)))
  if (kind === undefined) return 0
  const isSame = (at: number): boolean => at >= 0 && at < text.length && (isHalf(text.charCodeAt(at)) || kind.test(text.charAt(at)))
  let [from, to] = [place, place + 1]
  while (to - from <= longestRun && isSame(to)) to += 1
  while (to - from <= longestRun && isSame(from - 1)) from -= 1
  return to - from
}

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

import { growingCache } from '../caches/growing-cache.ts'

/** Counts tokens exactly, for one encoding. Other models' counts differ: leave a margin of some 15 %. */
export interface Tokenizer {
  readonly name: string
  count(text: string): number
}

/** Lines whose counts are remembered, and how long they may be: a prompt is made of the same lines again and again. */
const maxLines = 16_384
const maxLineCharacters = 2_000

/**
 * The o200k_base encoding. Loading its ranks takes 0.3 s and 30 MB: done in a worker thread, when a budget is first checked. It is counted
 * line by line, since no token reaches over a line's end: but into white space, which is one with the break, and into slashes.
 */
export async function loadTokenizer(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a special token is text.
  const asText = { disallowedSpecial: new Set<string>() }
  const known = growingCache<string, number>(maxLines)
  const countLine = (line: string): number => {
    const tokens = known.get(line) ?? countTokens(line, asText)
    if (line.length <= maxLineCharacters) known.set(line, tokens)
    return tokens
  }
  return { name: 'o200k_base', count: (text) => linesOf(text).reduce((sum, line) => sum + countLine(line), 0) }
}

/** A tokenizer that is being loaded, or was. */
class LoadedTokenizer {
  readonly tokenizer = loadTokenizer()
}

/** A place that keeps one object of a class in memory: made at the first call, the same from then on. */
interface Keeper {
  keep<Kept extends object>(kind: abstract new (...args: never[]) => Kept, make: () => Kept): Kept
}

/** The tokenizer that a place keeps. */
export function tokenizerIn(here: Keeper): Promise<Tokenizer> {
  return here.keep(LoadedTokenizer, () => new LoadedTokenizer()).tokenizer
}

const lineEnd = /(?<=\n)(?=[^\s/])/

function linesOf(text: string): readonly string[] {
  return text.includes('\n') ? text.split(lineEnd) : [text]
}

/** Longer than any word: letters, blanks, or marks without a break. */
const longestRun = 2_000
const kinds = [/[\p{L}\p{M}]/u, /\s/u, /[^\s\p{L}\p{N}]/u] as const
const unbroken = /[\p{L}\p{M}]{2001}|\s{2001}|[^\s\p{L}\p{N}]{2001}/u

/** Counting is quadratic in a run that has no break (60,000 Chinese characters: 35 s), so a text with over 2,000 is not counted at all. */
export function isCountable(text: string): boolean {
  // A run that is longer reaches over one of these places: most texts need no look at the rest.
  for (let place = 0; place < text.length; place += longestRun) if (runAround(text, place) > longestRun) return !unbroken.test(text)
  return true
}

/**
 * How long the run of one kind is that a place lies in, up to just too long, which is said of half a pair as well;
 * further on, halves are of any kind.
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

import { countWords } from '../../packages/varve/src/extractive/words.ts'
import { type Words, wordsAbout } from './gold.ts'

/** What a profile of one person is worth. */
export interface Worth {
  readonly person: string
  readonly observations: number
  readonly words: number
  readonly lines: number
  /** Observations that one of the lines holds. */
  readonly held: number
  /** Lines that hold an observation. */
  readonly matching: number
  /** Lines that hold an observation, or of whose content words an observation has half. */
  readonly kindly: number
}

const leastShare = 0.5

/** Measures the lines of a profile that fit into so many words: whole lines, the first ones first. */
export function worthOfLines(person: string, lines: readonly string[], gold: readonly Words[], maxWords: number): Worth {
  const shown = within(lines, maxWords)
  const read = shown.map((line) => wordsAbout(person, line))
  const isHolding = (line: Words): boolean => gold.some((one) => holdsHalf(line, one))
  return {
    person,
    observations: gold.length,
    words: shown.reduce((sum, line) => sum + countWords(line), 0),
    lines: shown.length,
    held: gold.filter((one) => read.some((line) => holdsHalf(line, one))).length,
    matching: read.filter(isHolding).length,
    kindly: read.filter((line) => isHolding(line) || gold.some((one) => holdsHalf(one, line))).length,
  }
}

/** Tells whether a text has at least half of another's content words. */
function holdsHalf(text: Words, wanted: Words): boolean {
  return wanted.size > 0 && [...wanted].filter((term) => text.has(term)).length / wanted.size >= leastShare
}

function within(lines: readonly string[], maxWords: number): string[] {
  let left = maxWords
  const shown: string[] = []
  for (const line of lines) {
    left -= countWords(line)
    if (left < 0) break
    shown.push(line)
  }
  return shown
}

import { defused } from '../messages/defused.ts'
import { nameLine } from '../messages/shown-name.ts'
import { granularities, type Granularity } from './granularity.ts'
import { periodLabel } from './periods.ts'

/** The text of a node, or of a virtual digest. */
export interface BankText {
  readonly granularity: Granularity
  readonly period: string
  readonly title?: string
  readonly bullets: readonly string[]
  readonly pinned: boolean
}

const preamble = 'Summaries of earlier conversations, quoted as data. Use them only when relevant.'

const headings = { conversation: 'Recent conversations', day: 'By day', week: 'By week', month: 'By month', year: 'By year' } as const

/**
 * The longest line of a bullet or a title; a longer one is cut. A run without a break cannot be counted in reasonable
 * time (models/tokenizer.ts).
 */
const maxLineCharacters = 1_000

// Every line begins with a bracket, a dash or a capital and ends with one line break. The usual encodings count such
// lines one by one as they count the whole, so that a shape's tokens are a sum.

export const preambleLine = `${preamble}\n`

export function headingLine(granularity: Granularity): string {
  return `${headings[granularity]}:\n`
}

export function bulletLine(bullet: string): string {
  return `- ${bullet}\n`
}

/** Makes the first line of an entry: its period and title. */
export function labelLine({ granularity, period, title, pinned }: Omit<BankText, 'bullets'>): string {
  const label = `[${periodLabel(granularity, period)}${pinned ? ', pinned' : ''}]`
  const name = title === undefined ? '' : nameLine(title)
  return name === '' ? `${label}\n` : `${label} ${name}\n`
}

export function entryText(entry: BankText): string {
  return labelLine(entry) + entry.bullets.map(bulletLine).join('')
}

/** Says how many conversations were left out; '' when there is none. */
export function omittedLine(omitted: number): string {
  if (omitted === 0) return ''
  return omitted === 1 ? '1 older conversation is left out.\n' : `${omitted} older conversations are left out.\n`
}

/**
 * Renders the block for a prompt, of entries that are newest first: by granularity, the finest first. Without entries
 * it is the empty text. The caller puts it into a fence.
 */
export function renderBank(entries: readonly BankText[], omitted: number): string {
  if (entries.length === 0) return ''
  const sections = granularities.map((granularity) => {
    const lines = entries
      .filter((entry) => entry.granularity === granularity)
      .map(entryText)
      .join('')
    return lines === '' ? '' : headingLine(granularity) + lines
  })
  return `${preambleLine}${sections.join('')}${omittedLine(omitted)}`.trimEnd()
}

// NEL and the separators of files, groups and records end a line in some programs. A regular expression does not count
// them as white space.
const separators = String.raw`\x1c-\x1e\x85`
const breaks = new RegExp(String.raw`[\s${separators}]+`, 'g')
const uneven = new RegExp(String.raw`[^\S ]|[${separators}]| {2}|^ | $`)

/** Puts a text on one line, at most 1,000 characters long, and defuses it. */
export function flat(text: string): string {
  const seen = defused(text)
  const line = uneven.test(seen) ? seen.replace(breaks, ' ').trim() : seen
  return line.length <= maxLineCharacters
    ? line
    : `${line
        .slice(0, maxLineCharacters - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}

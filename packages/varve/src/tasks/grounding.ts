import { folded } from './folded.ts'
import { spelledNumbers } from './spelled-numbers.ts'
import { toldSpans } from './told-spans.ts'
import { isDateOf, type WrittenDate, withoutDates, writtenDates } from './written-dates.ts'

/** A source that an item may rest on. */
export interface Source {
  /** The number by which it is cited. */
  readonly number: number
  readonly text: string
  /** Its head: the speaker, or a label. The digits of a date in it are not said. */
  readonly head: string
  /** The time when it was said: UTC milliseconds. Dates that its words tell by it may be stated. */
  readonly at?: number
  /** True when a person said it. */
  readonly isPersons: boolean
}

interface Ground {
  readonly source: Source
  readonly text: string
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  /** The times that its words tell, and its own day. They are read when a date is first looked for. */
  times(): readonly { readonly from: number; readonly to: number }[]
}

const address = new RegExp(
  String.raw`(?:https?:\/\/|www\.)[^\s<>"'“”]{2,}|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|` +
    String.raw`(?<![\w.@-])(?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,5}[a-z]{2,24}(?![\w-])`,
  'giu',
)
const amount = /\p{Nd}+(?:[.,:'’/ \u00a0\u202f-](?=\p{Nd})\p{Nd}+)*/gu
const thousands = /(?<=\d)[.,'’ \u00a0\u202f](?=\d{3}(?!\d))/g
const word = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}_'’-]*/gu

let common: ReadonlySet<string> | undefined

/**
 * Gives names of days and months: a talk says "tomorrow", and heads hold dates. And words for the speakers. They are made
 * when the first sentence is checked: that takes 8 ms.
 */
function commonWords(): ReadonlySet<string> {
  common ??= new Set([...names('month', 12), ...names('weekday', 7), 'i', 'user', 'assistant', 'tool', 'ai', 'utc', 'ok'])
  return common
}

function names(kind: 'month' | 'weekday', count: number): string[] {
  const format = new Intl.DateTimeFormat('en', { [kind]: 'long', timeZone: 'UTC' })
  return Array.from({ length: count }, (_, at) =>
    format.format(kind === 'month' ? Date.UTC(2024, at, 1) : Date.UTC(2024, 0, 1 + at)).toLowerCase(),
  )
}

/**
 * Checks that the exact claims of a sentence were said. These are numbers, addresses, identifiers (capitals within,
 * digits and letters) and names (a capital within a sentence). Each must occur in a cited source, or else in another.
 * The other one is then cited too, so that forgetting it finds the sentence. Folded forms are compared: 1,000 is 1000,
 * and 2026-05-08 its three numbers. A date may be the one that the words tell: "last Monday" is 3 March 2025.
 *
 * It passes over whole numbers under 10, which writers count or spell, and other endings of a name. It passes over
 * names in a language that writes nouns with capitals (the sources tell). A first word may be any word, and is no name.
 * So it does not find a lower-case claim that nobody made. It takes a number beyond nine for invented when it was said
 * in words other than English ones.
 */
export class Grounding {
  readonly #grounds: readonly Ground[]
  readonly #capitalsAreNames: boolean
  readonly #allowed: Ground

  /**
   * `allowed` is text that may be stated though no source says it, such as the period of a digest. `capitalsAreNames`
   * is true when only names have a capital within a sentence.
   */
  constructor(sources: readonly Source[], allowed = '', capitalsAreNames = !writesNounsWithCapitals(sources)) {
    this.#grounds = sources.map(groundOf)
    this.#capitalsAreNames = capitalsAreNames
    this.#allowed = groundOf({ number: 0, text: '', head: allowed, isPersons: true })
  }

  /** Gives a text without the dates that a source tells, in its words or by its time. */
  withoutTold(text: string, number: number): string {
    const ground = this.#grounds.find(({ source }) => source.number === number)
    return ground === undefined
      ? text
      : withoutDates(
          text,
          writtenDates(text).filter((date) => dateClaim(date)(ground)),
        )
  }

  /** Gives the cited numbers and the added ones, ascending. Undefined when nobody said one of the claims. */
  cite(sentence: string, cited: readonly number[]): number[] | undefined {
    const numbers = new Set(cited)
    for (const states of claims(sentence, this.#capitalsAreNames)) {
      if (states(this.#allowed)) continue
      // The cited ones first: to read the times of all messages takes long.
      if (this.#grounds.some((ground) => numbers.has(ground.source.number) && states(ground))) continue
      const near = this.#byDistance(cited).find(states)
      if (near === undefined) return undefined
      numbers.add(near.source.number)
    }
    return [...numbers].toSorted((a, b) => a - b)
  }

  #byDistance(cited: readonly number[]): readonly Ground[] {
    return this.#grounds.toSorted((a, b) => distance(a, cited) - distance(b, cited))
  }
}

function distance({ source }: Ground, cited: readonly number[]): number {
  return Math.min(...cited.map((number) => Math.abs(number - source.number)))
}

function groundOf(source: Source): Ground {
  const head = folded(source.head)
  const text = `${head}\n${folded(source.text)}`
  const counted = `${withoutDates(head, writtenDates(head)).replace(period, ' ')}\n${folded(source.text)}`
  let times: ReturnType<Ground['times']> | undefined
  return {
    source,
    text,
    words: new Set((text.match(word) ?? []).flatMap(wordForms)),
    numbers: new Set(numbersIn(counted)),
    times: () => (times ??= timesOf(source)),
  }
}

/** A year, or a week or month of one, in a label. */
const period = /(?<![\p{L}\d-])(?:19|20)\d{2}(?:-w?\d{2})?(?![\p{L}\d-])/gu

const isoWeek = /(?<![\p{L}\d-])(?:19|20)\d{2}-w\d{2}(?![\p{L}\d-])/giu

const dayMs = 86_400_000

function timesOf({ head, text, at }: Source): ReturnType<Ground['times']> {
  const labelled = writtenDates(head).flatMap(({ year, month, day }) =>
    year === undefined || month === undefined ? [] : dayFrom(Date.UTC(year, month - 1, day ?? 1)),
  )
  return at === undefined ? labelled : [dayFrom(at - (at % dayMs)), ...toldSpans(text, at), ...labelled]
}

function dayFrom(from: number): { readonly from: number; readonly to: number } {
  return { from, to: from + dayMs }
}

/** Gives a word's forms: itself, its parts, and without the genitive's s. */
function wordForms(each: string): string[] {
  const plain = each.replace(/'s$|'$/, '')
  return plain.includes('-') ? [each, plain, ...plain.split('-')] : [each, plain]
}

type Claim = (ground: Ground) => boolean

/** Makes a test for each exact claim of a sentence. */
function claims(sentence: string, capitalsAreNames: boolean): Claim[] {
  const found: Claim[] = []
  const holdsWhole = (each: string): string => {
    const wanted = bare(folded(each))
    found.push(({ text }) => holds(text, wanted))
    return ' '
  }
  const rest = sentence.replace(address, holdsWhole).replace(isoWeek, holdsWhole)
  const dates = writtenDates(rest)
  for (const date of dates) found.push(dateClaim(date))
  const dateless = withoutDates(rest, dates)
  for (const [number] of folded(dateless).matchAll(amount)) found.push(...numberClaim(number))
  return [...found, ...exactWords(dateless, capitalsAreNames).map(wordClaim)]
}

/** A date was said as it stands, or is the one that the words tell. */
function dateClaim(date: WrittenDate): Claim {
  return (ground) => {
    const said = writtenDates(ground.text)
    const { year, month, day } = date
    const isSaid = said.some((one) => isSame(one.year, year) && isSame(one.month, month) && isSame(one.day, day))
    return isSaid || isPieced(date, ground) || ground.times().some((time) => isDateOf(date, time))
  }
}

/** Tells whether the parts of a date were said apart: "on 20 June, not the 13th". */
function isPieced({ year, month, day, name }: WrittenDate, { numbers, words }: Ground): boolean {
  const isMonthSaid = month === undefined || (name === undefined ? numbers.has(String(month)) : words.has(folded(name)))
  return isMonthSaid && [year, day].every((part) => part === undefined || numbers.has(String(part)))
}

/** Tells whether a part of a date was said, where it is claimed. */
function isSame(said: number | undefined, claimed: number | undefined): boolean {
  return claimed === undefined || said === claimed
}

function numberClaim(number: string): Claim[] {
  const [whole = '', ...parts] = formsOf(number)
  if (/^\d$/.test(whole)) return []
  return [({ numbers }) => numbers.has(whole) || (parts.length > 1 && parts.every((part) => numbers.has(part)))]
}

/** Finds all numbers of a text: as they are written, their parts, the values of 10k and twelve, and hours by the other clock. */
function numbersIn(text: string): string[] {
  const scaled = Array.from(text.matchAll(/(?<!\d)(\d+(?:\.\d+)?) ?([km])\b/g), ([, value, unit]) =>
    String(Number(value) * (unit === 'k' ? 1_000 : 1_000_000)),
  )
  return [
    ...Array.from(text.matchAll(amount), ([number]) => formsOf(number)).flat(),
    ...scaled,
    ...otherHours(text),
    ...spelledNumbers(text),
  ]
}

/** Gives the hours of times by the other clock: 19 for 7:40 pm, 7 for 19:40. */
function otherHours(text: string): string[] {
  const of24 = Array.from(text.matchAll(/\b(1[0-2]|0?[1-9])(?:[:.]\d\d)? ?([ap])\.?m\b/g), ([, hour, half]) =>
    String((Number(hour) % 12) + (half === 'p' ? 12 : 0)),
  )
  const of12 = Array.from(text.matchAll(/\b(1[3-9]|2[0-3])[:.]\d\d\b/g), ([, hour]) => String(Number(hour) - 12))
  // A full hour's minutes need not be said.
  return of24.length === 0 ? of12 : [...of24, ...of12, '0']
}

/** Gives the number without its separators, then its parts, without leading zeros. */
function formsOf(number: string): string[] {
  const joined = number.replace(thousands, '')
  return [joined, ...number.split(/\D+/)].map((part) => part.replace(/^0+(?=\d)/, ''))
}

function bare(found: string): string {
  return found
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[.,;:!?)\]]+$/, '')
    .replace(/\/$/, '')
}

/** Tells whether a word stands in a text by itself, and not as a part of something longer. */
function holds(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const before =
      text
        .slice(0, at)
        .replace(/www\.$/, '')
        .at(-1) ?? ' '
    if (!/[\w.@-]/.test(before) && !/^(?:[\w@]|[.-]\w)/.test(text.slice(at + wanted.length, at + wanted.length + 2))) return true
  }
  return false
}

/** Finds identifiers, and names where capitals tell them. */
function exactWords(text: string, capitalsAreNames: boolean): string[] {
  const found: string[] = []
  let end = -1
  for (const match of text.matchAll(word)) {
    const each = match[0].replace(/['’]s$|['’]$/, '')
    const begins = end === -1 || /[.!?:;"“„«(]\s*$/.test(text.slice(end, match.index))
    if (isIdentifier(each)) found.push(each)
    else if (capitalsAreNames && !begins) found.push(...each.split('-').filter((part) => /^\p{Lu}/u.test(part)))
    end = match.index + match[0].length
  }
  return found.map(folded).filter((each) => !commonWords().has(each))
}

function isIdentifier(text: string): boolean {
  if (/^\p{Nd}+(?:st|nd|rd|th|er|e|s|k|m|h|am|pm|kg|km|cm|mm|gb|mb)?$/iu.test(text)) return false
  return /\p{L}.*\p{Lu}/u.test(text) || /_/.test(text) || (/\p{Nd}/u.test(text) && /[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(text))
}

function wordClaim(wanted: string): Claim {
  const stem = wanted.slice(0, Math.max(4, wanted.length - 3))
  const mayEnd = /^\p{L}+$/u.test(wanted) && wanted.length >= 5
  return ({ text, words }) => {
    if (words.has(wanted) || words.has(wanted.replace(/s$/, '')) || (!/^\p{L}+$/u.test(wanted) && holds(text, wanted))) return true
    return mayEnd && [...words].some((each) => each.startsWith(stem) && Math.abs(each.length - wanted.length) <= 3)
  }
}

/**
 * Tells whether a language writes nouns with capitals. German writes every noun so, about a third of its words; other
 * languages at most a tenth.
 */
function writesNounsWithCapitals(sources: readonly Source[]): boolean {
  let words = 0
  let capitals = 0
  for (const { text } of sources) {
    for (const [, each = ''] of text.matchAll(/(?<=[\p{Ll},] )(\p{L}[\p{L}]+)/gu)) {
      words += 1
      if (/^\p{Lu}\p{Ll}/u.test(each)) capitals += 1
    }
  }
  return words >= 10 && capitals > words / 5
}

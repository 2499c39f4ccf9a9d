import { matchesOf } from '../../../messages/matches-of.ts'
import { type Lead, leadIn } from '../commands/leads.ts'
import { type Request, requestsIn } from '../commands/requests.ts'
import { withoutAsides } from './asides.ts'
import { isBlank, sentenceEnd } from './laughs.ts'
import { masked, type Reading } from '../../facts/reading.ts'
import { regex, source } from '../../word-lists.ts'

/** A longer clause is no plain statement. */
const maxClause = 220
const maxClauses = 24

/** Part of a sentence, by its place in the reading. */
export interface Clause {
  readonly text: string
  readonly from: number
  readonly to: number
  /** The words between the clause before and this one: `, and`, `because`. */
  readonly joint: string
}

export interface SentencePassage {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly isQuestion: boolean
  /** True when it ends in a laugh. */
  readonly isLaughing: boolean
  /** True when the words after it say that it is a joke. */
  readonly isJoke: boolean
  readonly clauses: readonly Clause[]
  /** The words before it that only command. They are no part of its text. */
  readonly lead: Lead | undefined
  /** Its commands, such as `forget my address`. Their words are masked in its text. */
  readonly requests: readonly Request[]
}

const abbreviation = /(?:^|[\s("'])(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|No|Nr|ca|vs|etc|e\.g|i\.e|approx|[ap]\.m|[ap]|\p{Lu})\.$/u
const somebody = "(?:I|I'm|I've|we|we're|my|our|he|she|they|it|you)"
const begins = source`(?:I|I'm|I've|I'll|I'd|we|we're|we've|we'll|my|our|he|she|they|it|it's|you|the|a|an|this|that|now|then|can|could|
  please|never|need|want|would|nobody|everyone)`
const verbs = '(?:live|work|speak|love|like|hate|prefer|have|am|enjoy|moved|lives|works|speaks|loves|likes|hates|prefers|has|is)'
const joints = source`(?:but|because|although|though|while|whereas|which|who|so|when|whenever|unless|if|where|yet|(?:until|since|as|
  before|after)(?= ${somebody} )|and(?= (?:also |now |currently )?(?:${begins}|${verbs}) ))`
const boundary = regex('gu')`(?:[,;:](?= |$)(?! \d{4}\b)|[()–—]| -(?= ))+ ?(?:(?:and|or|but) (?=${begins} ))?(?:${joints} )?| ${joints} `

/** Returns the sentences of a reading, each with its clauses. */
export function passagesOf({ text }: Reading): SentencePassage[] {
  const found: SentencePassage[] = []
  let from = 0
  for (const { index, 0: mark, groups } of matchesOf(text, sentenceEnd)) {
    const [to, isEmpty] = [index + mark.length, isBlank(text.slice(from, index))]
    const [isLaughing, isJoke] = [groups?.['laugh'] !== undefined, groups?.['kidding'] !== undefined]
    if (/^[.!?…]/u.test(mark) && abbreviation.test(text.slice(Math.max(from, to - 8), to))) continue
    // A laugh that opens a sentence is part of it, unless it stands alone.
    if (isLaughing && isEmpty && !/[.!?…]$/u.test(mark) && !/^\s*(?:\n|$)/u.test(text.slice(to, to + 40))) continue
    const last = found.at(-1)
    if (isEmpty && last !== undefined && (isLaughing || isJoke))
      found[found.length - 1] = { ...last, isLaughing: last.isLaughing || isLaughing, isJoke: last.isJoke || isJoke }
    if (!isEmpty) found.push(passage(text, from, to, /^[.!?…\n]/u.test(mark) ? to : index, isLaughing, isJoke))
    from = to
  }
  return /\p{L}/u.test(text.slice(from)) ? [...found, passage(text, from, text.length, text.length, false, false)] : found
}

/** Makes a passage of a sentence. Its words end before a laugh or a face. */
function passage(text: string, begin: number, end: number, words: number, isLaughing: boolean, isJoke: boolean): SentencePassage {
  const { from, to } = trimmed(text, begin, end)
  const spoken = text.slice(from, trimmed(text, from, Math.max(from, Math.min(to, words))).to)
  const meant = withoutAsides(spoken)
  const lead = leadIn(spoken.slice(meant.from, meant.to))
  const start = meant.from + (lead?.length ?? 0)
  const isQuestion = lead?.isAsked !== true && /\?[!?"')\]]{0,4}$/u.test(text.slice(from, to))
  const said = lead?.isAsked === true ? spoken.slice(start, meant.to).replace(/\?+$/u, '') : spoken.slice(start, meant.to)
  const requests = requestsIn(said, isQuestion)
  const whole = requests.reduce((rest, one) => rest.slice(0, one.from) + masked.repeat(one.to - one.from) + rest.slice(one.to), said)
  return {
    ...{ text: whole, from, to, isQuestion, isLaughing, isJoke, lead },
    clauses: clausesOf(whole, from + start),
    requests: requests.map((one) => ({ ...one, from: from + start + one.from, to: from + start + one.to })),
  }
}

function clausesOf(sentence: string, start: number): Clause[] {
  const found: Clause[] = []
  let from = 0
  let joint = ''
  const add = (to: number): void => {
    const place = trimmed(sentence, from, to)
    const text = sentence.slice(place.from, place.to)
    if (text !== '' && text.length <= maxClause) found.push({ text, from: start + place.from, to: start + place.to, joint })
  }
  for (const { index, 0: mark } of matchesOf(sentence, boundary)) {
    if (found.length >= maxClauses) return found
    add(index)
    joint = mark.trim()
    from = index + mark.length
  }
  add(sentence.length)
  return found
}

function trimmed(text: string, start: number, end: number): { from: number; to: number } {
  let [from, to] = [start, end]
  while (from < to && /[\s.,!]/u.test(text.charAt(from))) from += 1
  while (to > from && /[\s,;]/u.test(text.charAt(to - 1))) to -= 1
  return { from, to }
}

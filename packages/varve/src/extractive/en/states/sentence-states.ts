import { matchesOf } from '../../../messages/matches-of.ts'
import type { SentencePassage } from '../facts/passages.ts'
import { masked, type Reading } from '../../facts/reading.ts'
import { loose, type Said } from '../../facts/said.ts'
import { regex } from '../../word-lists.ts'
import { clauseTimes, isAhead } from '../facts/times.ts'
import { isImagined, isReportedIn, plainClauses } from '../facts/traps.ts'
import { relations } from '../facts/words.ts'
import { longestLoose, looseStates } from './loose-states.ts'
import { openStates, truly } from './open-states.ts'

/** What is read of states. Loose ones count only beside another statement (loose-states.ts). */
export type StatesRead = 'no states' | 'states' | 'loose states'

/** A state in a sentence, with the words of its time. */
export type TimedSaid = Said & { readonly when?: string; readonly until?: string }

const mostClause = 220
const mostQuoted = 60
const joints = regex('giu')`[,;:](?= )|[()–—]| - |(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St))[.!](?= )| (?=(?:but|because|although|though|so|while|
  which|(?<!\b(?:guy|one|woman|man|person|lady|people) )who|if|unless|whether|cause) )| and (?=(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|
  it|it's|he|she|they|you|the|my|our|can|could|please|that|this|there|now|then|got an?|bought|moved|switched|joined|adopted|work from|
  (?:\p{L}+ )?(?:maybe|probably|perhaps)|(?:\p{L}+\.? ){1,2}(?:is|are|was|has|says?|said)) )`
const joint =
  /^(?:[,;:()–— -]|and |but |so |or |yet |also |then |which means (?:that )?|meaning (?:that )?|hence |therefore |that's why )+/iu
const dependent = /^(?:because |since |although |though |cause )/iu
/** Words after which the rest of a sentence is somebody else's, or not so. */
const foreign = /^(?:if|unless|whether|in case|when|whenever|while|which|who|during|imagine|assume|suppose)\b/iu
/** Words after which the rest of a sentence is not so. */
const imagined = /^(?:if|unless|whether|in case|whenever|imagine|assume|suppose)\b/iu
/** Words that leave the clause before them open. */
const undecided = regex('iu')`^[,;–—( -]*(?:or (?:maybe|perhaps|the|on|at)\b|maybe\b|perhaps\b|not (?:sure|decided|certain|fixed|
final)|tbd\b|tbc\b|I think|I guess|no wait|wait,? no|or not)`
/** A name after a comma, before the sentence goes on. */
const beside = regex(
  'u',
)`^, ((?:an? )?(?:\p{Ll}+ ){0,2}(?:(?:Dr|Prof|Mr|Mrs|Ms|St)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?(?: \d{2,4})?)(?=$|[,.!;?:(]| (?:and|
so|but|please|can|could|who|which|what|how|is|with|in|from)\b)`
const asks = regex('iu')`^(?:please|pls|can|could|would|will|do|does|did|should|shall|what|which|who|where|when|why|how|any|write|
give|make|show|tell|help|draft|suggest|explain|is there|are there)\b`

/**
 * Reads the states of a sentence, clause by clause. A clause that reports, asks or imagines is left out, and the others are
 * read: `the board wrote, so since May our rate is 98, can you …`.
 */
export function sentenceStates(
  { text, raw, places }: Reading,
  passage: SentencePassage,
  before: readonly string[],
  reading: StatesRead,
): TimedSaid[] {
  if (
    passage.isJoke ||
    passage.isLaughing ||
    /\b(?:lol|haha|screenplay|chapter|character|novel|warlock)\b|:P/iu.test(passage.text) ||
    passage.text.length > 900
  )
    return []
  const plain = passage.clauses.slice(0, plainCount(passage)).at(-1)?.to ?? passage.from
  const isLoose = reading === 'loose states'
  const plainEnd =
    passage.isQuestion && !/^(?:if|unless|when)\b/iu.test(passage.text) ? (passage.clauses.at(-1)?.from ?? passage.from) : passage.to + 1
  const found: TimedSaid[] = []
  const read: string[] = [...before]
  let [isForeign, isUnreal] = [false, false]
  const clauses = withoutAsides(clausesIn(text, passage.clauses[0]?.from ?? passage.from, passage.to), text)
  for (const { from, to, aside } of clauses) {
    const lead = joint.exec(text.slice(from, to))?.[0].length ?? 0
    const head = aside === undefined ? '' : text.slice(from + lead, aside.from)
    const clause = head + text.slice(aside?.to ?? from + lead, to).replace(dependent, '')
    isForeign = isForeign && !/[;:.!]/u.test(text.charAt(from)) && !/^(?:so|but|and) /iu.test(text.slice(from, to).replace(/^[, ]+/u, ''))
    isUnreal &&= isForeign
    const isReport = isReportedIn(clause) && !truly.test(clause)
    if (foreign.test(clause) || isReport || isImagined(clause)) isForeign = true
    if (imagined.test(clause) || isImagined(clause)) isUnreal = true
    const isNote = text.charAt(to) === ':' && clause.length <= 40
    const [, noted = ''] = isNote ? (afterColon.exec(text.slice(to, to + 60)) ?? []) : []
    if (noted !== '' && !isForeign) found.push(...clauseStates(`${clause}: ${noted}`, { before: read, isLoose }))
    const isCommand = passage.requests.some((one) => one.from < to && from < one.to)
    const isRead = !isCommand && !isForeign && clause.length <= mostClause && from < plain && !asks.test(clause)
    if (isRead && !undecided.test(text.slice(to, to + 40)))
      found.push(
        ...clauseStates(head + unmasked({ text, raw, places }, to - clause.length + head.length, to), {
          before: read,
          isLoose,
          name: beside.exec(text.slice(to, to + 60))?.[1],
        }),
      )
    else if (isLoose && !isCommand && !isUnreal && !isReport && clause.length <= mostClause && to < plainEnd && !asks.test(clause))
      found.push(...looseStates(head + unmasked({ text, raw, places }, to - clause.length + head.length, to)))
    read.push(clause)
  }
  return isLoose && passage.text.length <= longestLoose ? found : found.filter(({ confidence }) => confidence !== loose)
}

const wanted = /\b(?:ideas?|tips?|tricks?|suggestions?|recommendations?|advice|recipes?|options?)\b/iu

/** Counts the clauses before a question. A question may follow a comma: `I swim on Mondays, which goggles last?` */
function plainCount(passage: SentencePassage): number {
  const count = Math.max(0, plainClauses(passage))
  if (count > 0 || !passage.isQuestion || /^(?:if|unless|when)\b/iu.test(passage.text)) return count
  const question = passage.clauses.findIndex(({ joint, text }) => /^, ?(?:which|who|where|when)$/u.test(joint) || wanted.test(text))
  return passage.clauses.some(({ joint }) => /\b(?:if|unless|whenever)$/u.test(joint)) ? count : Math.max(0, question)
}

/** Words of a state that holds for a while only. The time in them tells its end, where it can be told. */
const passing = regex('iu')`\b(?:(?:just|only)(?: for)? (?<a>this (?:week|weekend|month)|today|tonight|the weekend)|
(?<b>(?:this|these) (?:\p{L}+ )?(?:week|weekend|month|days?)) only|for (?<c>today|tonight|this week|this month|the weekend|the week|
the time being|the moment)(?: only)?|(?<d>(?:this week|today))(?= (?:it's|we|i|our|my|the)\b)|temporarily|
for (?:a|two|three|the next|a few|a couple of) \p{L}+ (?:while|because|until)|until the \p{L}+ (?:is|are|gets?))\b`

interface ClauseSetting {
  readonly before: readonly string[]
  readonly isLoose: boolean
  /** A name after the clause and its comma. */
  readonly name?: string | undefined
}

/** The value of a note: `editor theme: Solarized Light`. */
const afterColon = /^: ((?:[\p{L}\p{N} '&+#_/-]|(?<=\d)[.,](?=\d)){1,45})(?=[,.;!?\n]|$)/u

function clauseStates(said: string, { before, isLoose, name }: ClauseSetting): TimedSaid[] {
  if (said.includes(masked)) return []
  const brief = passing.exec(said)
  const phrase = brief?.groups?.['a'] ?? brief?.groups?.['b'] ?? brief?.groups?.['c'] ?? brief?.groups?.['d']
  // Of a passing state without an end nobody knows when it is over.
  if (brief !== null && !/^(?:this|today|tonight|the weekend|the week)/iu.test(phrase ?? '')) return []
  const clause = brief === null ? said : said.replace(brief[0], '').replace(/^[ ,]+| (?= )/gu, '')
  const plain = clause.replace(/[.!…]+$/u, '')
  const time = clauseTimes(plain)
  const words = (range: readonly [number, number] | undefined): string | undefined =>
    range === undefined ? undefined : plain.slice(range[0], range[1])
  const [when, until] = [words(time.when), words(time.until)]
  const read = openStates({
    whole: plain,
    core: plain.slice(time.from, time.to),
    isAhead: when !== undefined && isAhead(when),
    until: until !== undefined,
    before,
    beside: name,
  })
  const told =
    isLoose && read.length === 0 && brief === null && until === undefined
      ? looseStates(name === undefined ? plain : `${plain}, ${name}`)
      : read
  if (when !== undefined && /^in \S+ (?:seconds|minutes?|hours?)/iu.test(when)) return []
  if (phrase !== undefined) return told.filter(({ says }) => says === 'is').map((one) => ({ ...one, passing: true, until: phrase }))
  return told
    .filter(({ object }) => !praise.test(object))
    .map((found) => {
      const one = { ...found, object: withArticle(found.object, plain) }
      const day = when?.replace(/^(?:on|at|from|by) /iu, '') ?? ''
      const isDay = day !== '' && one.object.includes(day)
      // A day of the calendar is over when it has passed; a weekday comes again.
      const ends = until ?? (isDay && /\d/u.test(day) && one.says === 'is' ? day : undefined)
      // What was moved to a weekday is still to come.
      const tense = isDay && one.says === 'is' && weekday.test(day) ? 'present' : one.tense
      return { ...one, tense, ...(when === undefined || isDay ? {} : { when }), ...(ends === undefined ? {} : { until: ends }) }
    })
}

const weekday = /^(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/iu
const praise = regex('iu')`^(?:an? )?(?:great|fun|good|nice|perfect|lovely|amazing|huge|wonderful) (?:way|reminder|idea|place|thing|
trail|time|example|choice|start)\b`
const articles = /(?<![\p{L}'])(?:an?|the|my|her|his) $/iu

/** Puts the article back that reads better than none: `a cottage in Otley`, `the 9th`. */
function withArticle(object: string, clause: string): string {
  if (!/^(?:\p{Ll}[\p{L}-]* \p{L}|\d{1,2}(?:st|nd|rd|th)\b|\p{Ll}+['’]s )/u.test(object)) return object
  const at = clause.indexOf(object)
  const article = at <= 0 ? '' : (articles.exec(clause.slice(Math.max(0, at - 5), at))?.[0] ?? '')
  if (/^(?:my|her|his)/iu.test(article) && !/['’]s /u.test(object) && !relations.includes(object.split(' ', 1)[0] ?? '')) return object
  const isKept = !/^the/iu.test(article) || /^(?:\d|first|second|third|last)/u.test(object)
  return isKept ? article.toLowerCase() + object : object
}

interface Clause {
  readonly from: number
  readonly to: number
  /** What stands between the subject and its verb: `our CLI, fernwatch, is …`. */
  readonly aside?: { readonly from: number; readonly to: number }
}

const subject = /^[,;:()–— -]*(?:(?:and|but|so) )?(?:my|our) [\p{L}' -]{2,40}$/iu
const goesOn = /^, (?:is|are|has|have|costs?|runs?|lives?|works?|starts?|moved|switched|changed)\b/iu
const longestAside = 30

function withoutAsides(clauses: readonly Clause[], text: string): readonly Clause[] {
  return clauses.flatMap((clause, at) => {
    const said = ({ from, to }: Clause): string => text.slice(from, to)
    const opens = (place: number): boolean => {
      const [head, aside, rest] = clauses.slice(place, place + 3)
      if (head === undefined || aside === undefined || rest === undefined || aside.to - aside.from > longestAside) return false
      return subject.test(said(head)) && said(aside).startsWith(', ') && goesOn.test(said(rest))
    }
    const [aside, rest] = [clauses[at + 1], clauses[at + 2]]
    if (opens(at) && aside !== undefined && rest !== undefined)
      return [{ from: clause.from, to: rest.to, aside: { from: aside.from, to: rest.from + 1 } }]
    return (at > 0 && opens(at - 1)) || (at > 1 && opens(at - 2)) ? [] : [clause]
  })
}

function clausesIn(text: string, start: number, end: number): Clause[] {
  const found: Clause[] = []
  let from = start
  for (const { index } of matchesOf(text.slice(start, end), joints)) {
    if (start + index > from) found.push({ from, to: start + index })
    from = start + index
  }
  return [...found, { from, to: end }].filter((one) => one.to - one.from > 3)
}

/** Quoted words that somebody says, and no name. */
const isSaid = /\n|^(?:i|i'm|i've|we|you|it|he|she|they|that|there|no|yes)\b/iu

/** Puts short quoted words back: in `we call it "Plum"` they are the value. */
function unmasked(reading: Reading, from: number, to: number): string {
  let words = ''
  for (let at = from; at < to; at += 1) {
    const sign = reading.text.charAt(at)
    const [first, next] = [reading.places[at] ?? 0, reading.places[at + 1] ?? reading.raw.length]
    const quoted = sign === masked ? reading.raw.slice(first + 1, next).replace(/["'`“”„«»‘’]\s*$/u, '') : sign
    words += sign === masked && (quoted.length > mostQuoted || isSaid.test(quoted) || quoted.trim() === '') ? masked : quoted
  }
  return words
}

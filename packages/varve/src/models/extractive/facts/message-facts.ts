import type { SourceMessage, StatedFact } from '../../writer.ts'
import { clauseFacts } from './clause-facts.ts'
import { contrasted, isBrief } from './contrasts.ts'
import { insteadOf, takesBack } from './corrections.ts'
import { jokedBefore, soberly } from './laughs.ts'
import type { Opening } from './own-name.ts'
import { type Clause, type Passage, passagesOf } from './passages.ts'
import { relationsIn } from './persons.ts'
import { masked, rawOf, type Reading, readingOf } from './reading.ts'
import { askedToRemember } from './remember.ts'
import { isSecondThought } from './retractions.ts'
import { type Said, weak } from './said.ts'
import { type Capitals, spelled } from './spelling.ts'
import { isGreeting, isGreetingAlone, leadLength, type Spoken } from './subjects.ts'
import { isAhead, isTime, timed } from './times.ts'
import { introducesOthers, isReported, isUnreal, isUnserious, plainClauses } from './traps.ts'

/** Longer sentences are not quoted whole, but the clause alone. */
const maxQuote = 300

const technical = /\b(?:deploy\p{L}*|servers?|databases?|repos?|repositor(?:y|ies)|codebase|apis?|frameworks?|migrat\p{L}+|backend|frontend|software|compiler|pipeline|keyboard|editor|hosting|cluster)\b/iu

/** A message that can be taken at its word, sentence by sentence. */
export interface Read {
  readonly message: SourceMessage
  readonly reading: Reading
  readonly passages: readonly Passage[]
  /** Whether it is about software: `we moved to` names no town then. */
  readonly isTechnical: boolean
  /** Whether it begins by taking the message before for a joke. */
  readonly jokedBefore: boolean
}

/** What a person says in earnest: nothing of others' messages, of jokes, stories and letters; up to where others are quoted at length. */
export function readMessage(message: SourceMessage, capitals: Capitals): Read[] {
  if (message.origin !== 'person' || message.role !== 'user' || isUnserious(message.text)) return []
  const reading = spelled(readingOf(message.text), capitals)
  const passages = passagesOf(reading)
  const quoted = passages.findIndex(introducesOthers)
  return [{ message, reading, isTechnical: technical.test(reading.text), jokedBefore: jokedBefore(reading.text), passages: (quoted < 0 ? passages : passages.slice(0, quoted)).filter((passage) => !isUnreal(passage)) }]
}

/** The names of those to whom a message says that its speaker is related. */
export function namesIn({ passages }: Read): string[] {
  return passages.filter(({ isQuestion }) => !isQuestion).flatMap(({ text }) => relationsIn(text)).map(({ object }) => object.toLowerCase())
}

/** The facts of one sentence. */
export function sentenceFacts(read: Read, at: number, known: ReadonlySet<string>): StatedFact[] {
  const passage = read.passages[at]
  if (passage === undefined) return []
  const kin = passage.isQuestion ? [] : relationsIn(passage.text).map((said) => placed(said, read, passage, passage))
  if (isReported(passage)) return kin
  const isTakenBack = [read.passages[at - 1], passage].some((one) => one !== undefined && takesBack(one.text))
  const all = [...kin, ...clausesFacts(read, passage, known, isTakenBack)]
  const found = passage.isLaughing ? soberly(all) : all
  return found.length > 0 ? found : askedToRemember(passage).map((said) => placed(said, read, passage, passage))
}

function clausesFacts(read: Read, passage: Passage, known: ReadonlySet<string>, isTakenBack: boolean): StatedFact[] {
  const clauses = joined(read.reading, passage.clauses.slice(0, Math.max(0, plainClauses(passage))))
  const found: StatedFact[] = []
  let before: Spoken | undefined
  let last = 0
  for (const [place, clause] of clauses.entries()) {
    if (isSecondThought(clause.text)) found.length = last
    last = found.length
    if (clause.text.includes(masked) || some.test(clause.joint)) continue
    const lead = leadLength(clause.text)
    const whole = clause.text.slice(lead).replace(/[.!…]+$/u, '')
    const time = timed(whole)
    const at = (range: readonly [number, number]): string => rawOf(read.reading, clause.from + lead + range[0], clause.from + lead + range[1])
    const when = time.when === undefined ? undefined : at(time.when)
    const opening = openingOf(read, passage, clause, clauses[place - 1])
    const { said, spoken } = clauseFacts({
      whole, core: whole.slice(time.from, time.to), isAhead: when !== undefined && isAhead(when), isTechnical: read.isTechnical, until: time.until !== undefined, when, opening, takesBack: isTakenBack, known, before: /^and\b|, and$/u.test(clause.joint) ? before : undefined,
    })
    before = spoken
    const next = clauses[place + 1]
    found.push(...said.map((one) => {
      const instead = next === undefined ? undefined : insteadOf(one, next.text)
      const isDay = one.predicate === 'birthday'
      const held = next !== undefined && isBrief(next.text) ? { ...one, confidence: Math.min(one.confidence, weak) } : one
      return { ...placed(held, read, passage, clause), ...(when === undefined || isDay || (one.says === 'ends' && one.predicate === 'plans to' && isAhead(when)) ? {} : { when }), ...(time.until === undefined ? {} : { until: at(time.until) }), ...(instead === undefined ? {} : { instead }) }
    }))
  }
  return found
}

/** Whether a clause comes after a greeting, be it a sentence of its own, or before anything else. */
function openingOf({ passages }: Read, passage: Passage, clause: Clause, last: Clause | undefined): Opening {
  const before = passages[passages.indexOf(passage) - 1]
  const isFirst = before === undefined || isGreetingAlone(before.text)
  const isGreeted = isGreeting(clause.text) || isGreeting(last?.text ?? '') || (last === undefined && before !== undefined && passages.length > 1 && isFirst)
  return { isGreeted, isFirst: isFirst && (last === undefined || isGreetingAlone(last.text)) || /^(?:btw|by the way|fyi)\b/iu.test(clause.text) }
}

function placed(said: Said, { message, reading }: Read, passage: Passage, clause: Pick<Clause, 'from' | 'to'>): StatedFact {
  const sentence = rawOf(reading, passage.from, passage.to)
  const quote = sentence.length <= maxQuote ? sentence : rawOf(reading, clause.from, clause.to)
  return { subject: '', ...said, object: said.object.replace(/[.!\s]+$/u, ''), seq: message.seq, quote }
}

/** Before what is so at some time only, or may come to be. */
const some = /\b(?:when|whenever|unless|if|until|before|after)$/u

const listed = /(?:allergic to|speaks?) [^,]{1,60}$/u
const items = /^(?:and )?(?!(?:.{0,60} )?(?:allergic|everything|anything|stuff|epipens?|whatever|etc)\b)(?!(?:please|sorry|thanks|thank|help|though|so|too|i|it|its|it's|they|that|that's|this|we|he|she|you|is|are|was|have|am|my|can|can't|don't|need|will)\b)(?:a (?:little|bit of) )?[\p{L}-]{2,30}(?: [\p{L}-]{2,30})?(?:(?: and) (?:a (?:little|bit of) )?[\p{L}-]{2,30}(?: [\p{L}-]{2,30})?)?[.!]?$/u

/** `a dog` and `a cat`. */
const counted = /(?:have|'ve|has)(?: got)? (?:an?|\d+|two|three|four|five) [\p{L} -]{2,30}$/u
const count = /^(?:an?|\d+|two|three|four|five) [\p{L} -]{2,30}[.!]?$/u

/** Puts a time that stands between commas to the clause that it belongs to, and the items of a list to its verb. */
function joined({ text }: Reading, clauses: readonly Clause[]): Clause[] {
  const found: Clause[] = []
  for (const [place, clause] of clauses.entries()) {
    const last = found.at(-1)
    const isComma = /^,(?: and)?$/u.test(clause.joint)
    const follows = isComma && last !== undefined
    const another = last !== undefined && clause.joint === 'and' && (listed.test(last.text) ? items : counted.test(last.text) ? count : undefined)?.test(clause.text)
    const opens = follows && found.length === 1 && isTime(last.text) && place === 1
    const isDay = clause.joint === ',' && isTime(clause.text.replace(/[.!]+$/u, ''))
    const belongs = another === true || (follows && (isDay || (listed.test(last.text.replaceAll(', ', ' and ')) && items.test(clause.text) && closesList(clauses, place))))
    if (last !== undefined && (opens || belongs)) found[found.length - 1] = { ...last, text: text.slice(last.from, clause.to), to: clause.to }
    else found.push(clause)
  }
  return contrasted(found)
}

/** Whether the clauses from a place on are the rest of a list: its last item comes after `and`. */
function closesList(clauses: readonly Clause[], place: number): boolean {
  for (const { text, joint } of clauses.slice(place)) {
    if (!items.test(text)) return false
    if (/(?:^| )and /u.test(text) || joint === ', and') return true
  }
  return false
}

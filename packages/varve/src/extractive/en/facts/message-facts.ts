import { matchesOf } from '../../../messages/matches-of.ts'
import type { SourceMessage, StatedFact } from '../../../models/writer.ts'
import type { Acquaintances, Named } from '../../facts/acquaintances.ts'
import { clauseFacts } from './clause-facts.ts'
import { insteadOf, insteadOfName, isSecondThought, takesBack } from './corrections.ts'
import { ruling } from './kinds/choices.ts'
import { contactIn } from './kinds/contact.ts'
import { kinIn, namedLater } from './kinds/kin.ts'
import { askedToRemember, reminderIn } from './kinds/reminders.ts'
import { notUsed } from './kinds/tools.ts'
import { jokedBefore, soberly } from './laughs.ts'
import { lossesIn } from './losses.ts'
import type { Opening } from './own-name.ts'
import { type Clause, type SentencePassage, passagesOf } from './passages.ts'
import { relationsIn } from './persons.ts'
import { masked, rawOf, type Reading, readingOf } from '../../facts/reading.ts'
import { present, type Said, weak } from '../../facts/said.ts'
import { type Capitals, spelled } from './spelling.ts'
import { isGreeting, isGreetingAlone, leadLength, type Spoken } from './subjects.ts'
import { sentenceStates, type StatesRead, type TimedSaid } from '../states/sentence-states.ts'
import { isAhead, isTime, clauseTimes } from './times.ts'
import { introducesOthers, isHearsay, isUnreal, isUnserious, plainClauses } from './traps.ts'
import { isWorthKeeping } from './worth.ts'
import { regex } from '../../word-lists.ts'

/** Longer sentences are not quoted whole, but the clause alone. */
const maxQuote = 300

const technical = regex('iu')`\b(?:deploy\p{L}*|servers?|databases?|repos?|repositor(?:y|ies)|codebase|apis?|frameworks?|migrat\p{L}+|
  backend|frontend|software|compiler|pipeline|keyboard|editor|hosting|cluster)\b`

/** A message that is meant seriously, sentence by sentence. */
export interface Read {
  readonly message: SourceMessage
  readonly reading: Reading
  readonly passages: readonly SentencePassage[]
  /** True when the message is about software. Then `we moved to` names no town. */
  readonly isTechnical: boolean
  /** True when the message begins by saying that the one before was a joke. */
  readonly jokedBefore: boolean
  /** The kin that each passage names, also with the help of the passage before it. */
  readonly kin: readonly (readonly Said[])[]
}

/**
 * Reads the part of a message that the person means: no jokes, stories or letters, and nothing after the words that introduce a
 * long quotation.
 */
export function readMessage(message: SourceMessage, capitals: Capitals): Read[] {
  if (message.origin !== 'person' || message.role !== 'user' || isUnserious(message.text)) return []
  const reading = spelled(readingOf(message.text, isSentBeside), capitals)
  const passages = passagesOf(reading)
  const quoted = passages.findIndex(introducesOthers)
  const own = quoted < 0 ? passages : passages.slice(0, quoted)
  const real = own.filter(({ requests, text, isJoke }) => requests.length > 0 || (hasWords.test(text) && !isJoke))
  const kin = real.map((_, at) => relatedAt(real, at))
  return [{ message, reading, isTechnical: technical.test(reading.text), jokedBefore: jokedBefore(reading.text), passages: real, kin }]
}

/** Returns the names of the kin and friends that a message names. */
export function namesIn({ kin }: Read): string[] {
  return kin.flat().map(({ object, subject }) => (subject ?? object).toLowerCase())
}

/** Returns the kin and friends that a message names, with their roles. */
export function relatedIn({ kin, message }: Read): Named[] {
  const own = kin.flat().filter(({ subject }) => subject === undefined)
  return own.map(({ predicate, object }) => ({ role: predicate, name: object, seq: message.seq }))
}

/** Returns the kin that a sentence names, also with the help of the sentence before it. */
function relatedAt(passages: readonly SentencePassage[], at: number): Said[] {
  const [before, passage] = [passages[at - 1], passages[at]]
  if (passage === undefined || passage.isQuestion) return []
  const isNext = before !== undefined && !before.isQuestion && !isHearsay(before) && passage.from - before.to < 4
  const later = isHearsay(passage) ? [] : namedLater(passage, isNext ? before.text : '')
  return [...relationsIn(passage.text), ...kinIn(passage.text), ...later]
}

/** Returns the names that a message treats as persons. */
export function spokenOfIn({ passages }: Read): string[] {
  return passages.filter(({ text }) => hasWords.test(text)).flatMap(personsIn)
}

/** A sentence without a match says nothing. `I'm 45` has no two letters in a row. */
const hasWords = /\p{L}{2}|\bi'm \d/iu

/**
 * Returns the facts of one sentence.
 *
 * @param told its plain statements
 */
export function sentenceFacts(read: Read, at: number, told: readonly StatedFact[], reading: StatesRead): StatedFact[] {
  const passage = read.passages[at]
  if (passage === undefined) return []
  const inSentence = (said: Said): StatedFact => placed(said, read, passage, passage)
  const holds = ({ object, when = '', until = '' }: StatedFact, other: string): boolean =>
    [object, when, until].some((words) => words.includes(other)) || other.includes(object)
  const isTold = (one: Said): boolean => told.some((fact) => one.says === 'ends' || holds(fact, one.object))
  const before = read.passages.slice(Math.max(0, at - 1), at).flatMap(({ clauses }) => clauses.map(({ text }) => text))
  const states = reading !== 'no states' ? sentenceStates(read.reading, passage, before, reading).filter((one) => !isTold(one)) : []
  const timed = ({ when, until, ...said }: TimedSaid): StatedFact => ({ ...inSentence(said), ...present({ when, until }) })
  const worth = [...told, ...states.map(timed)].filter(isWorthKeeping)
  const found = [...worth, ...passage.requests.flatMap(({ said }) => said).map(inSentence)]
  const isKept = found.length > 0 || isUnreal(passage) || isHearsay(passage)
  return isKept ? found : askedToRemember(passage).filter(isWorthKeeping).map(inSentence)
}

/** Returns what one sentence states with a known predicate. */
export function plainStatements(read: Read, at: number, known: Acquaintances): StatedFact[] {
  const passage = read.passages[at]
  if (passage === undefined || !hasWords.test(passage.text) || isUnreal(passage)) return []
  const inSentence = (said: Said): StatedFact => placed(said, read, passage, passage)
  const kin = (read.kin[at] ?? []).map((said) => inSentence({ ...said, ...present({ instead: insteadOfName(passage.text, said.object) }) }))
  if (isHearsay(passage)) return kin.filter(({ object }) => !lossesIn(passage.text, known).some((one) => one.object === object))
  const isTakenBack = read.passages.slice(Math.max(0, at - 1), at + 1).some(({ lead, text }) => lead?.corrects === true || takesBack(text))
  const told = clausesFacts(read, at, known, isTakenBack)
  // `My husband Dan and I separated` ends Dan's role: it does not state it.
  const related = kin.filter(({ object }) => !told.some((one) => one.says === 'ends' && one.subject === '' && one.object === object))
  // Up to its question or its condition.
  const last = passage.clauses.slice(0, Math.max(0, plainClauses(passage))).at(-1)
  const contact = last === undefined ? [] : contactIn(read.reading.text.slice(passage.from, last.to))
  const all = [...related, ...contact.map(inSentence), ...told, ...reminderIn(passage).map(inSentence)]
  const found = passage.isLaughing ? soberly(all) : all
  return found.length > 0 ? found : passage.isQuestion ? [] : ruling(passage.text).map(inSentence)
}

function clausesFacts(read: Read, at: number, known: Acquaintances, isTakenBack: boolean): StatedFact[] {
  const passage = read.passages[at]
  if (passage === undefined) return []
  const clauses = apart(joined(read.reading, passage.clauses.slice(0, Math.max(0, plainClauses(passage)))))
  const found: StatedFact[] = []
  let before: Spoken | undefined
  let last = 0
  for (const [place, clause] of clauses.entries()) {
    if (isSecondThought(clause.text)) found.length = last
    last = found.length
    if (clause.text.includes(masked) || some.test(clause.joint) || isOpen(clauses.slice(place + 1))) continue
    const lead = leadLength(clause.text)
    const whole = clause.text.slice(lead).replace(/[.!…]+$/u, '')
    const time = clauseTimes(whole)
    const words = (range: readonly [number, number]): string =>
      rawOf(read.reading, clause.from + lead + range[0], clause.from + lead + range[1])
    const when = time.when === undefined ? undefined : words(time.when)
    const opening = openingOf(read, passage, clause, clauses[place - 1])
    const next = clauses[place + 1]
    const { said, spoken } = clauseFacts({
      whole,
      core: whole.slice(time.from, time.to),
      isAhead: when !== undefined && isAhead(when),
      isTechnical: read.isTechnical,
      until: time.until !== undefined,
      when,
      opening,
      takesBack: isTakenBack,
      known,
      last: clauses[place - 1]?.text ?? '',
      isJoined: clause.joint.endsWith('and'),
      joint: next?.joint ?? '',
      next: next?.text ?? read.passages[at + 1]?.text ?? '',
      isAnd: /^and\b|, and$/u.test(clause.joint),
      before: /^,?(?: ?and\b.*)?$/u.test(clause.joint) ? before : undefined,
    })
    before = spoken
    found.push(
      ...[...said, ...said.flatMap((one) => (next === undefined ? [] : notUsed(one, next.text)))].map((one) => {
        const instead = next === undefined ? undefined : insteadOf(one, next.text)
        const isDay = one.predicate === 'birthday'
        const held = next !== undefined && brief.test(next.text) ? { ...one, confidence: Math.min(one.confidence, weak) } : one
        const isIdle = isDay || (one.says === 'ends' && one.predicate === 'plans to' && when !== undefined && isAhead(when))
        const until = time.until === undefined ? undefined : words(time.until)
        return { ...placed(held, read, passage, clause), ...present({ when: isIdle ? undefined : when, until, instead }) }
      }),
    )
  }
  return found
}

/** Words that limit the statement before them to a short time. */
const brief = regex('iu')`^(?:not (?:for (?:much |very )?long(?:er)?|forever|permanently)|(?:at least |only |just )?for now|
  (?:only )?temporarily|for the time being)\b`

/** Tells whether a clause follows a greeting, and whether anything stands before it. */
function openingOf({ passages }: Read, passage: SentencePassage, clause: Clause, last: Clause | undefined): Opening {
  const before = passages[passages.indexOf(passage) - 1]
  const isFirst = before === undefined || isGreetingAlone(before.text)
  const isAfter = last === undefined && before !== undefined && passages.length > 1 && isFirst
  const opens = isFirst && (last === undefined || isGreetingAlone(last.text))
  const isGreeted = isGreeting(clause.text) || isGreeting(last?.text ?? '') || isAfter
  return { isGreeted, isFirst: opens || /^(?:btw|by the way|fyi)\b/iu.test(clause.text) }
}

function placed(said: Said, { message, reading }: Read, passage: SentencePassage, clause: Pick<Clause, 'from' | 'to'>): StatedFact {
  const sentence = rawOf(reading, passage.from, passage.to)
  const quote = sentence.length <= maxQuote ? sentence : rawOf(reading, clause.from, clause.to)
  const { also, subject = '', ...rest } = said
  const others = also?.filter((seq) => seq !== message.seq) ?? []
  // Each of several speakers has a sister: the name tells whose.
  const whose = message.name === undefined ? subject : subject.replace(/^my /u, `${message.name}'s `)
  const object = said.object.replace(/[.!\s]+$/u, '')
  return { subject: whose, ...rest, ...(others.length === 0 ? {} : { also: others }), object, seq: message.seq, quote }
}

const notAlso = regex('u')`(?<!\b(?:am|is|are|was|were|do|does|did|will|have|has|why|or|if|and|but|of|maybe|please|'m|'re|'s|'ve|
  'll)) not (?=(?:in |at |to |from |for )?(?:\p{Lu}|\d)[^ ]{0,30}(?: (?:\p{Lu}|\d)[^ ]{0,30}){0,2}[.!]*$)`

/** `a producer` and `based in Leeds` are two. */
const placedTrade = /(?<=^(?:I'm |I am |i'm |im )?an? [\p{L}/ -]{3,40}) (?=(?:based|living) in \p{Lu})/u

/** Splits `in Dresden not Leipzig`, and `a potter based in Oslo`, as if they had a comma. */
function apart(clauses: readonly Clause[]): Clause[] {
  return clauses.flatMap((clause) => {
    const at = Math.max(clause.text.search(notAlso), clause.text.search(placedTrade))
    if (at < 0) return [clause]
    const rest = { text: clause.text.slice(at + 1), from: clause.from + at + 1, to: clause.to, joint: ',' }
    return [{ ...clause, text: clause.text.slice(0, at), to: clause.from + at }, rest]
  })
}

/** Conjunctions before a time or a condition. */
const some = /\b(?:when|whenever|unless|if|until|before|after)$/u

/** Words that leave the statement before them open: `or the 12th`, `not decided yet`. */
const open = regex('iu')`^(?:or (?!(?:else|so|rather)\b)|(?:but )?(?:it's |that's |it is |still |we're |I'm )?(?:not|un|yet to be|to be|
  nothing) ?(?:yet |fully |really |quite |100% )?(?:decided|sure|certain|confirmed|settled|fixed|final)\b|tbd\b|tbc\b|(?:we |
  I )?(?:haven't|have not) decided\b)`

function isOpen(following: readonly Clause[]): boolean {
  return following.slice(0, 2).some(({ text, joint }, at) => (at === 0 || /^(?:,|but|\()$/u.test(joint)) && open.test(text))
}

const listed = regex('u')`(?:allergic to|speaks?|likes?|loves?|enjoys?|hates?|dislikes?|uses?|using|intolerant to|(?:don't|doesn't|
  can't) (?:eat|drink|like|stand)) (?!to )[^,]{1,60}$`
const items = regex('u')`^(?:and |or )?(?!(?:.{0,60} )?(?:allergic|everything|anything|stuff|epipens?|whatever|etc)\b)(?!(?:please|sorry|
  thanks|thank|help|though|so|too|i|it|its|it's|they|that|that's|this|we|he|she|you|is|are|was|have|has|am|my|can|can't|don't|need|will|
  lives?|works?|speaks?|loves?|likes?|hates?|prefers?|enjoys?|moved)\b)(?:a (?:little|
  bit of) )?[\p{L}-]{2,30}(?: [\p{L}-]{2,30})?(?:(?: and| or) (?:a (?:little|bit of) )?[\p{L}-]{2,30}(?: [\p{L}-]{2,30})?)?[.!]?$`

/** After a name: `Anja and I got married`. */
const paired = /^I (?:are |got |have (?:just )?(?:got )?|just got |finally got )?(?:married|engaged)\b/u

/** `a dog` and `a cat`. */
const counted = /(?:have|'ve|has)(?: got)? (?:an?|\d+|two|three|four|five) [\p{L} -]{2,30}$/u
const count = /^(?:an?|\d+|two|three|four|five) [\p{L} -]{2,30}[.!]?$/u

/** Joins a time between commas to its clause, and the items of a list to their verb. */
function joined({ text }: Reading, clauses: readonly Clause[]): Clause[] {
  const found: Clause[] = []
  for (const [place, clause] of clauses.entries()) {
    const last = found.at(-1)
    const isComma = /^,(?: and)?$/u.test(clause.joint)
    const before = last?.text ?? ''
    const [isList, isCount] = [listed, counted].map((form) => form.test(before.replaceAll(', ', ' and ')))
    const [isItem, isCounted] = [items, count].map((form) => form.test(clause.text))
    const isAnother = listed.test(before) ? isItem : isCount && isCounted
    const isPair = paired.test(clause.text) && /^\p{Lu}[\p{L}'-]{1,30}$/u.test(before)
    const opens = found.length === 1 && isTime(before) && place === 1
    const isDay = clause.joint === ',' && isTime(clause.text.replace(/[.!]+$/u, ''))
    const belongs = opens || isDay || (isCount && isCounted) || (isList && isItem && closesList(clauses, place))
    if (last !== undefined && ((isComma && belongs) || (clause.joint === 'and' && (isAnother || isPair))))
      found[found.length - 1] = { ...last, text: text.slice(last.from, clause.to), to: clause.to }
    else found.push(clause)
  }
  return found
}

/** Tells whether the clauses from a place on are the rest of a list: its last item comes after `and`. */
function closesList(clauses: readonly Clause[], place: number): boolean {
  for (const { text, joint } of clauses.slice(place)) {
    if (!items.test(text)) return false
    if (/(?:^| )(?:and|or) /u.test(text) || joint === ', and') return true
  }
  return false
}

const speaking = /^(?:i|i'm|im|i've|ive|my|we|we're|we've|our)\b/iu
const bindsNext = regex('iu')`\b(?:imagine|pretend|suppose|say|says|said|if|when|thinks?|thought|told|wrote|dream\p{L}*|wish|hope|lyrics|
  song|poem|story)\b|\b(?:and|or|but|that|because|as|than|where|what|who|while|though|so|since|until|before|after|to|of|with|for|like|
  [,–—-])\s*$`

/** Tells whether a line is a sentence of its own beside a short line before it, as lines are in chats. */
function isSentBeside(before: string, line: string): boolean {
  return before.length < 60 && /\S \S+ \S/u.test(before) && speaking.test(line) && !bindsNext.test(before.replaceAll('’', "'"))
}

const oneName = '(\\p{Lu}\\p{Ll}[\\p{L}-]{1,20})'
const company = regex('gu')`(?:\b(?:[Tt]old|[Aa]sked|[Hh]ugged|[Mm]arried|[Dd]ating|[Tt]exted) ${oneName}(?![\p{L}'])|\b(?:[Mm]e and|
  I and) ${oneName}(?![\p{L}'])|(?<!\p{L})${oneName} and (?:I|me)\b|(?<!\p{L})${oneName}'s (?:mum|mom|dad|mother|father|sister|brother|wife|
  husband|boyfriend|girlfriend|son|daughter|birthday|kids|boss|ex|baby)\b|(?<!\p{L})${oneName} (?:hopes|cried|laughed|smiled|hugged|(?:is|
  got) (?:pregnant|married|engaged)|was born|turned \d|texted|told me|asked me)\b)`
const called = new RegExp(`^${oneName} (?:\\p{Ll}+s|is|has)\\b`, 'u')
const pronoun = /(?<!\p{L})(?:she|he|her|him|his|hers)(?!\p{L})/u

/** Returns the names, in lower case, that a sentence treats as persons. */
function personsIn({ text, clauses }: SentencePassage): string[] {
  const named = text.length < 8 ? [] : matchesOf(text, company).flatMap((found) => found.slice(1).filter((name) => name !== undefined))
  const first = clauses.length < 2 ? undefined : called.exec(clauses[0]?.text ?? '')?.[1]
  // `Carla hates surprises, so tell her nothing`.
  if (first !== undefined && clauses.slice(1).some(({ text }) => pronoun.test(text))) named.push(first)
  return named.map((name) => name.toLowerCase())
}

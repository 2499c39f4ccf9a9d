import type { SourceMessage, StatedFact, SubjectFact } from '../../../models/writer.ts'
import type { Read } from '../facts/message-facts.ts'
import type { SentencePassage } from '../facts/passages.ts'
import { masked, rawOf } from '../../facts/reading.ts'
import { isHearsay, plainClauses } from '../facts/traps.ts'
import { sentencesIn, statedFacts } from '../stated-facts.ts'
import { getsThing, measuresIt, namesOfOwn, ownThing, tellsOfThing } from './own-things.ts'
import { regex } from '../../word-lists.ts'

/** A longer sentence is no plain statement. */
const maxSentence = 300

/** Marks a sentence that addresses somebody or corrects another sentence. Neither can be read by itself. */
const toOthers = /(?<!\p{L})(?:you|your|yours|please|meant|mean|sorry|typo|correction)(?!\p{L})/iu
/** Marks a sentence about something that is not certain, or not so yet. */
const unsure = regex('iu')`(?<!\p{L})(?:think|thinking|guess|might|may(?! \d)|could|would|should|want|wants|wish|hope|like to|about to|
  considering|kidding|joking|lol|haha+|jk|no idea|not sure|what if)(?!\p{L})`

/** A price or a size that is not certain. */
const unsureOfIt = /^(?:it|they) (?:could|might|may|would|should) /iu

/** A long word in capitals is shouted and tells a mood. Short ones are names of things: NASA, HTML. */
const shouted = /(?<!\p{L})\p{Lu}{6,}(?!\p{L})/u

/** Marks a promise for the next moment: soon it is done and over. */
const promised = /(?<!\p{L})(?:I|[Ww]e)['’]ll(?!\p{L})/u

/** Marks a feeling, which is no fact. */
const felt = regex('iu')`(?<!\p{L})(?:awesome|amazing|great|good|best|incredible|inspiring|inspired|encouraging|supportive|wonderful|
  lovely|adorable|cute|fun|funny|excited|exciting|proud|happy|sad|glad|cool|nice|beautiful|perfect|fantastic|terrible|awful|
  frustrat\p{L}+|worth|my rock|motivation|second family|more important|means? (?:so much|a lot|the world|everything)|there for (?:me|us)|
  like (?:that|this|those)|so (?!far\b|that\b|we\b|I\b|the\b|our\b|my\b)\p{Ll}+|such an?|super|loves? it)(?!\p{L})`

/**
 * Returns the sentences, as said, in which persons plainly speak of themselves, their things or their decisions. A
 * sentence that is left out may still be true.
 */
export function subjectFacts(messages: readonly SourceMessage[]): SubjectFact[] {
  const stated = Map.groupBy(statedFacts(messages, 'no states'), ({ seq }) => seq)
  const names = new Map<string | undefined, Set<string>>()
  const found: SubjectFact[] = []
  const seen = new Set<string>()
  for (const read of sentencesIn(messages)) {
    const own = names.get(read.message.name) ?? new Set()
    names.set(read.message.name, own)
    let thing: string | undefined
    for (const passage of read.passages) {
      const facts = factsOf(read, passage, stated.get(read.message.seq) ?? [], own, thing)
      found.push(...facts.filter(({ subject, fact }) => seen.size < seen.add(JSON.stringify([read.message.name, subject, fact])).size))
      const names = passage.isQuestion ? [] : namesOfOwn(passage.text)
      for (const name of names) own.add(name)
      thing = names.at(-1) ?? thingTold(passage, facts, thing)
    }
  }
  const things = new Set(found.filter((fact) => isOfSpeaker(fact, names)).map(({ subject }) => subject))
  return found.map((fact) => (things.has(fact.subject) ? { ...fact, subject: '', thing: fact.subject } : fact))
}

/** Tells whether a fact is about a thing of the speaker's without a name of its own: Ann's boat is not Bob's. */
function isOfSpeaker({ subject, fact }: SubjectFact, names: ReadonlyMap<string | undefined, ReadonlySet<string>>): boolean {
  if (subject === '' || names.values().some((own) => own.has(subject))) return false
  const [told, thing] = [fact.toLowerCase(), subject.toLowerCase()]
  return !/^\p{Lu}/u.test(subject) || told.includes(`my ${thing}`) || told.includes(`our ${thing}`)
}

type MaybeFact = SubjectFact | undefined

/** Returns the statements of a sentence: each clause after an `and` that is one by itself, or else the whole sentence. */
function factsOf(read: Read, passage: SentencePassage, all: readonly StatedFact[], own: ReadonlySet<string>, thing: string | undefined) {
  const whole = factOf(read, passage, all, own) ?? factOnThing(read, passage, thing)
  if (whole === undefined) return []
  const parts = statementsIn(passage, read.reading.text).map((part) => factOf(read, part, all, own))
  return parts.length > 1 && parts.every((part) => part !== undefined) ? parts : [whole]
}

/** Returns a sentence about the thing of the sentence before, where it says a number: `It costs $1,000.` */
function factOnThing({ message: { seq }, reading }: Read, passage: SentencePassage, thing: string | undefined): MaybeFact {
  const fact = rawOf(reading, passage.from, passage.to).replaceAll(/\s+/gu, ' ').trim()
  if (thing === undefined || passage.isQuestion || passage.isLaughing || passage.text.includes(masked)) return undefined
  if (fact.length > maxSentence || toOthers.test(passage.text) || !isPlain(passage) || !measuresIt(passage.text)) return undefined
  return { subject: thing, fact, seq }
}

/** Returns the thing that `it` means after a sentence: its subject, or the thing that the speaker got. It means no person. */
function thingTold({ text }: SentencePassage, facts: readonly SubjectFact[], before: string | undefined): string | undefined {
  const last = facts.at(-1)
  if (last === undefined) return undefined
  if (last.subject === before && measuresIt(text)) return before
  return getsThing.test(text) || (last.subject !== '' && tellsOfThing(text)) ? last.subject : undefined
}

/** Marks a clause that says who or whose thing it tells of. */
const beginsAnew = /^(?:I|I'm|I've|[Ww]e|[Ww]e're|[Ww]e've|[Mm]y|[Oo]ur) /u

/** Splits a sentence before clauses that begin anew: `I live in Oslo` and `I work at the ferry office`. */
function statementsIn(passage: SentencePassage, reading: string): SentencePassage[] {
  const { clauses, requests, lead } = passage
  if (requests.length > 0 || lead !== undefined) return [passage]
  const groups: (typeof clauses)[number][][] = []
  for (const clause of clauses) {
    const last = groups.at(-1)
    if (last === undefined || (/^,?\s?and$/u.test(clause.joint) && beginsAnew.test(clause.text))) groups.push([clause])
    else last.push(clause)
  }
  return groups.map((group, at) => {
    const from = at === 0 ? passage.from : (group[0]?.from ?? passage.from)
    const to = at === groups.length - 1 ? passage.to : (group.at(-1)?.to ?? passage.to)
    return { ...passage, text: reading.slice(from, to).trim(), from, to, clauses: group }
  })
}

function factOf({ message, reading }: Read, passage: SentencePassage, all: readonly StatedFact[], own: ReadonlySet<string>): MaybeFact {
  const { seq } = message
  const raw = rawOf(reading, passage.from, passage.to)
  const fact = raw.replaceAll(/\s+/gu, ' ').trim()
  const { text } = passage
  if (passage.isQuestion || passage.isLaughing || text.includes(masked) || fact.length > maxSentence || toOthers.test(text))
    return undefined
  const told = all.filter((one) => one.says !== 'wrong' && isToldIn(raw, one))
  if (told.length > 0 && unsureOfIt.test(text)) return undefined
  if (told.length > 0 && told.every(({ tense }) => tense === 'future') && promised.test(text)) return undefined
  if (told.length > 0) {
    const also = [...new Set(told.flatMap((one) => one.also ?? []))].filter((other) => other !== seq).toSorted((a, b) => a - b)
    return { subject: subjectOf(told), fact, seq, ...(also.length === 0 ? {} : { also }) }
  }
  if (!isPlain(passage)) return undefined
  const subject = ownThing(text, own)
  return subject === undefined ? undefined : { subject, fact, seq }
}

/** Tells whether a sentence tells a fact, or a clause of the sentence that is quoted for it. */
function isToldIn(raw: string, { quote, object }: StatedFact): boolean {
  if (raw.includes(quote)) return true
  const clause = raw.replace(/[.!\s]+$/u, '')
  return object !== '' && quote.includes(clause) && clause.toLowerCase().includes(object.toLowerCase())
}

/** Tells whether a sentence says plainly what is so: no hearsay, nothing unsure, no feeling. */
function isPlain(passage: SentencePassage): boolean {
  const { text, clauses } = passage
  if (isHearsay(passage) || unsure.test(text) || felt.test(text) || shouted.test(text)) return false
  return plainClauses(passage) >= clauses.length
}

/** Returns the subject of a sentence: another person, where the sentence tells of the speaker only how the two are related. */
function subjectOf(told: readonly StatedFact[]): string {
  const others = told.map(({ subject }) => subject).filter((subject) => subject !== '')
  return told.every(({ subject, object }) => subject !== '' || others.includes(object)) ? (others[0] ?? '') : ''
}

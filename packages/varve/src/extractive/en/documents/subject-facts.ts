import type { SourceMessage, StatedFact, SubjectFact } from '../../../models/writer.ts'
import { type Read, readMessage } from '../facts/message-facts.ts'
import type { SentencePassage } from '../facts/passages.ts'
import { masked, rawOf } from '../../facts/reading.ts'
import { type Capitals, capitalsIn } from '../facts/spelling.ts'
import { isHearsay, plainClauses } from '../facts/traps.ts'
import { statedFacts } from '../stated-facts.ts'
import { namesOfOwn, ownThing } from './own-things.ts'
import { regex } from '../../word-lists.ts'

/** A longer sentence is no plain statement. */
const maxSentence = 300

/** Marks a sentence that addresses somebody or corrects another sentence. Neither can be read by itself. */
const toOthers = /(?<!\p{L})(?:you|your|yours|please|meant|mean|sorry|typo|correction)(?!\p{L})/iu
/** Marks a sentence about something that is not certain, or not so yet. */
const unsure = regex('iu')`(?<!\p{L})(?:think|thinking|guess|might|may|could|would|should|want|wants|wish|hope|like to|about to|
  considering|kidding|joking|lol|haha+|jk|no idea|not sure|what if)(?!\p{L})`

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
  const said = messages.filter(({ origin, role }) => origin === 'person' && role === 'user')
  const capitals: Capitals = { words: new Set(said.flatMap(({ text }) => capitalsIn(text))), names: new Set() }
  const stated = Map.groupBy(statedFacts(messages, 'no states'), ({ seq }) => seq)
  const names = new Map<string | undefined, Set<string>>()
  const found: SubjectFact[] = []
  for (const read of said.flatMap((message) => readMessage(message, capitals))) {
    const own = names.get(read.message.name) ?? new Set()
    names.set(read.message.name, own)
    for (const passage of read.passages) {
      const fact = factOf(read, passage, stated.get(read.message.seq) ?? [], own)
      if (fact !== undefined && !found.some((other) => other.subject === fact.subject && other.fact === fact.fact)) found.push(fact)
      for (const name of passage.isQuestion ? [] : namesOfOwn(passage.text)) own.add(name)
    }
  }
  return found
}

type MaybeFact = SubjectFact | undefined

function factOf({ message, reading }: Read, passage: SentencePassage, all: readonly StatedFact[], own: ReadonlySet<string>): MaybeFact {
  const { seq } = message
  const raw = rawOf(reading, passage.from, passage.to)
  const fact = raw.replaceAll(/\s+/gu, ' ').trim()
  const { text } = passage
  if (passage.isQuestion || passage.isLaughing || text.includes(masked) || fact.length > maxSentence || toOthers.test(text))
    return undefined
  const told = all.filter(({ quote, says }) => says !== 'wrong' && raw.includes(quote))
  if (told.length > 0 && told.every(({ tense }) => tense === 'future') && promised.test(text)) return undefined
  if (told.length > 0) {
    const also = [...new Set(told.flatMap((one) => one.also ?? []))].filter((other) => other !== seq).toSorted((a, b) => a - b)
    return { subject: subjectOf(told), fact, seq, ...(also.length === 0 ? {} : { also }) }
  }
  if (isHearsay(passage) || unsure.test(text) || felt.test(text) || shouted.test(text)) return undefined
  if (plainClauses(passage) < passage.clauses.length) return undefined
  const subject = ownThing(text, own)
  return subject === undefined ? undefined : { subject, fact, seq }
}

/** Returns the subject of a sentence: another person, where the sentence tells of the speaker only how the two are related. */
function subjectOf(told: readonly StatedFact[]): string {
  const others = told.map(({ subject }) => subject).filter((subject) => subject !== '')
  return told.every(({ subject, object }) => subject !== '' || others.includes(object)) ? (others[0] ?? '') : ''
}

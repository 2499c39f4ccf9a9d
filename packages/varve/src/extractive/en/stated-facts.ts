import type { SourceMessage, StatedFact } from '../../models/writer.ts'
import { Acquaintances } from '../facts/acquaintances.ts'
import { namesIn, plainStatements, type Read, readMessage, relatedIn, sentenceFacts, spokenOfIn } from './facts/message-facts.ts'
import type { SentencePassage } from './facts/passages.ts'
import { rawOf } from '../facts/reading.ts'
import { workedOutOnce } from '../worked-out-once.ts'
import { present } from '../facts/said.ts'
import type { StatesRead } from './states/sentence-states.ts'
import { takesBackBefore, takesBackMessage } from './facts/corrections.ts'
import { type Capitals, capitalsIn } from './facts/spelling.ts'
import { type Corrected, corrected, correctionIn, respelt, spellingIn } from './facts/short-corrections.ts'

/** A correction is about one of the last facts: at most so many back. */
const maxBack = 12

interface Found {
  readonly fact: StatedFact
  readonly speaker: string | undefined
  /** The sentence that states the fact. */
  readonly passage: SentencePassage | undefined
}

/**
 * Returns the facts that persons plainly state in English, as far as patterns read them without doubt. A fact that is
 * left out may still be true.
 *
 * @param reading what is read beside the known predicates
 */
export function statedFacts(messages: readonly SourceMessage[], reading: StatesRead = 'states'): StatedFact[] {
  const { read, told } = talkOf(messages)
  const found: Found[] = []
  for (const [place, one] of read.entries()) {
    const speaker = one.message.name
    const said = read.slice(0, place).findLast((other) => other.message.name === speaker)?.passages ?? []
    if (one.jokedBefore) drop(found, said.at(-1))
    if (takesBackMessage(one.passages[0]?.text ?? '')) for (const passage of said) drop(found, passage)
    for (const [at, passage] of one.passages.entries()) {
      const last = one.passages[at - 1]
      const before = found.flatMap((other) => (other.speaker === speaker ? [other.fact] : []))
      const count = found.length
      for (const fact of sentenceFacts(one, at, told[place]?.[at] ?? [], reading).map((fact) => meantEnd(fact, before)))
        if (!found.some((other) => other.speaker === speaker && isSame(other.fact, fact))) found.push({ fact, speaker, passage })
      const isPut = found.length === count && correct(found, one, at, messages)
      if (!isPut && last?.isQuestion === false && takesBackBefore(passage.text)) drop(found, last)
    }
  }
  return found.map(({ fact }) => fact)
}

/** Messages as they are read, and the plain statements of each of their sentences. */
interface Talk {
  readonly read: readonly Read[]
  readonly told: readonly (readonly (readonly StatedFact[])[])[]
}

/** Facts and documents read the same messages. */
const talkOf = workedOutOnce((messages: readonly SourceMessage[]): Talk => {
  const read = readAll(messages)
  const known = knownIn(read)
  return { read, told: read.map((one) => one.passages.map((_, at) => plainStatements(one, at, known(one.message.name)))) }
})

/** Returns the messages of persons, sentence by sentence. */
export function sentencesIn(messages: readonly SourceMessage[]): readonly Read[] {
  return talkOf(messages).read
}

/** Returns the persons whom each speaker knows. Names are shared by all who talk; kin belong to one speaker. */
function knownIn(read: readonly Read[]): (speaker: string | undefined) => Acquaintances {
  const names = [...read.flatMap(({ message }) => message.name?.toLowerCase() ?? []), ...read.flatMap(namesIn), ...read.flatMap(spokenOfIn)]
  const groups = Map.groupBy(read, ({ message }) => message.name)
  const bySpeaker = new Map([...groups].map(([speaker, said]) => [speaker, new Acquaintances(names, said.flatMap(relatedIn))]))
  return (speaker) => bySpeaker.get(speaker) ?? new Acquaintances(names, [])
}

/** Reads the messages, and once more those that hold a name which another message shows with its capital. */
function readAll(messages: readonly SourceMessage[]): Read[] {
  const said = messages.filter(({ origin, role }) => origin === 'person' && role === 'user')
  const words = new Set(said.flatMap(({ text }) => capitalsIn(text)))
  const single = said.flatMap(({ name }) => (name === undefined || name.includes(' ') ? [] : [name.toLowerCase()]))
  const first: Capitals = { words, names: new Set(single) }
  const read = said.flatMap((message) => readMessage(message, first))
  const names = first.names.union(new Set(read.flatMap(namesIn)))
  const shown = [...names.difference(first.names)]
  const holdsOne = ({ reading }: Read): boolean => shown.some((name) => reading.text.includes(name))
  return read.flatMap((one) => (holdsOne(one) ? readMessage(one.message, { words, names }) : [one]))
}

/** Removes the facts of a sentence. */
function drop(found: Found[], passage: SentencePassage | undefined): void {
  if (passage !== undefined) found.splice(0, found.length, ...found.filter((one) => one.passage !== passage))
}

/** Reads a correction, such as `I meant Bergen, not Oslo`, and states the corrected fact. Returns whether there was one. */
function correct(found: Found[], one: Read, at: number, messages: readonly SourceMessage[]): boolean {
  const passage = found.length === 0 ? undefined : one.passages[at]
  const put = passage === undefined || passage.isQuestion ? undefined : puttingRight(found, one, passage, messages)
  if (passage === undefined || put === undefined) return false
  const { message, reading } = one
  const { when, until, also, ...rest } = put.before
  const quote = rawOf(reading, passage.from, passage.to)
  const right = { ...rest, object: put.right.object, instead: put.before.object, seq: message.seq, quote }
  const said = put.right.when !== undefined && right.quote.includes(put.right.when) ? put.right.when : undefined
  const time = said ?? (put.before.seq === message.seq ? when : undefined)
  const times = present({ when: time, until: put.before.seq === message.seq ? until : undefined })
  // A slip that is corrected within one message was never stated. A time that stands in another message is not quoted from this one.
  if (put.before.seq === message.seq)
    found[put.place] = { passage, speaker: message.name, fact: { ...right, ...times, ...present({ also }) } }
  // The subject and the predicate stand in the other message alone.
  else found.push({ passage, speaker: message.name, fact: { ...right, ...times, also: [...new Set([...(also ?? []), put.before.seq])] } })
  return true
}

interface PutRight {
  readonly place: number
  readonly before: StatedFact
  readonly right: Corrected
}

/** Returns the recent fact of the same speaker that a sentence corrects, and the correction. */
function puttingRight(
  found: readonly Found[],
  { message, passages }: Read,
  passage: SentencePassage,
  messages: readonly SourceMessage[],
): PutRight | undefined {
  const recent = found.flatMap(({ fact, speaker }, place) =>
    place >= found.length - maxBack && speaker === message.name && fact.says === 'is' ? [{ place, fact }] : [],
  )
  if (recent.length === 0) return undefined
  const word = passages.length === 1 ? spellingIn(message.text) : undefined
  const correction = word === undefined ? correctionIn(passage.text) : undefined
  // After a question, a sentence that looks like a correction may be an answer.
  const previous = messages.findLast((other) => other.seq < message.seq)
  const isAnswer = correction?.isMarked !== true && previous?.role !== 'user' && previous?.text.includes('?') === true
  if (word === undefined && (correction === undefined || isAnswer)) return undefined
  const earliest = messages.filter(({ role, name, seq }) => role === 'user' && name === message.name && seq <= message.seq).at(-3)?.seq ?? 0
  const put = recent
    .filter(({ fact }) => fact.seq >= earliest || fact.object.toLowerCase() === correction?.said?.toLowerCase())
    .flatMap(({ place, fact }): PutRight[] => {
      const right = word !== undefined ? respelt(fact, word) : correction === undefined ? undefined : corrected(fact, correction)
      return right === undefined || (right.object === fact.object && right.when === undefined) ? [] : [{ place, before: fact, right }]
    })
  if (word !== undefined || correction?.said !== undefined) return put.at(-1)
  // `no, Bergen` does not name the wrong word: it corrects the one fact that was stated last, with nothing after it.
  const last = put.filter(({ before }) => before.seq === recent.at(-1)?.fact.seq)
  return last.length === 1 && last[0] !== undefined && isLast(last[0].before, message, passage, messages) ? last[0] : undefined
}

function isLast({ seq, quote }: StatedFact, message: SourceMessage, passage: SentencePassage, messages: readonly SourceMessage[]): boolean {
  const before = message.text.slice(0, message.text.indexOf(passage.text))
  const text = seq === message.seq ? before : (messages.find((other) => other.seq === seq)?.text ?? '')
  const plain = (one: string): string => one.replace(/[\s.!…,;:)]{1,20}$/u, '')
  return plain(text).endsWith(plain(quote))
}

function isSame(a: StatedFact, b: StatedFact): boolean {
  return (['seq', 'says', 'subject', 'predicate', 'object', 'when', 'instead'] as const).every((field) => a[field] === b[field])
}

/** Predicates with one object at a time: an end need not name the object. */
const single = new Set(['works at', 'married to', 'partner', 'drives'])

/** Returns an end with the object that it means, where the talk names it: Rex for `my dog died`, Hapag-Lloyd for `I left Hapag`. */
function meantEnd(fact: StatedFact, before: readonly StatedFact[]): StatedFact {
  if (fact.says !== 'ends' || (fact.object === '' && single.has(fact.predicate))) return fact
  const same = before.filter(({ says, subject, predicate }) => says === 'is' && subject === fact.subject && predicate === fact.predicate)
  if (same.some(({ object }) => object.toLowerCase() === fact.object.toLowerCase())) return fact
  const words = wordsOf(fact.object)
  const meant = same.filter(({ object }) => words.every((word) => wordsOf(object).includes(word)))
  const [one] = meant
  if (one === undefined || new Set(meant.map(({ object }) => object.toLowerCase())).size > 1) return fact
  return { ...fact, object: one.object, ...(one.seq === fact.seq ? {} : { also: [...new Set([...(fact.also ?? []), one.seq])] }) }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

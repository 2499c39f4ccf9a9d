import type { SourceMessage, StatedFact } from '../writer.ts'
import { meantIn } from './facts/corrections.ts'
import { kinOf, namesIn, type Read, readMessage, sentenceFacts } from './facts/message-facts.ts'
import type { Passage } from './facts/passages.ts'
import { rawOf } from './facts/reading.ts'
import { takesBackBefore } from './facts/retractions.ts'
import { type Capitals, capitalsIn } from './facts/spelling.ts'

/** A correction is about one of so many facts that were stated last. */
const maxBack = 12

interface Found {
  readonly fact: StatedFact
  readonly speaker: string | undefined
  /** The sentence that says it. */
  readonly passage: Passage | undefined
}

/** Facts that persons state plainly, in English: those that a pattern reads without doubt. What is left out is no fact denied. */
export function statedFacts(messages: readonly SourceMessage[]): StatedFact[] {
  const read = readAll(messages)
  const known = new Set([...read.flatMap(({ message }) => message.name?.toLowerCase() ?? []), ...read.flatMap(namesIn)])
  const found: Found[] = []
  const kin = new Map([...Map.groupBy(read, ({ message }) => message.name)].map(([speaker, said]) => [speaker, kinOf(said)]))
  for (const [place, one] of read.entries()) {
    const speaker = one.message.name
    if (one.jokedBefore) drop(found, read.slice(0, place).findLast((other) => other.message.name === speaker)?.passages.at(-1))
    for (const [at, passage] of one.passages.entries()) {
      const before = one.passages[at - 1]
      for (const fact of sentenceFacts(one, at, known, kin.get(speaker) ?? new Map())) if (!found.some((other) => other.speaker === speaker && isSame(other.fact, fact))) found.push({ fact, speaker, passage })
      if (!correct(found, one, passage) && before?.isQuestion === false && takesBackBefore(passage.text)) drop(found, before)
    }
  }
  return found.map(({ fact }) => fact)
}

/** What a name looks like, any of the messages may show: they are read again with what the first reading found. */
function readAll(messages: readonly SourceMessage[]): Read[] {
  const said = messages.filter(({ origin, role }) => origin === 'person' && role === 'user')
  const words = new Set(said.flatMap(({ text }) => capitalsIn(text)))
  const first: Capitals = { words, names: new Set(said.flatMap(({ name }) => (name === undefined || name.includes(' ') ? [] : [name.toLowerCase()]))) }
  const read = said.flatMap((message) => readMessage(message, first))
  const names = new Set([...first.names, ...read.flatMap(namesIn)])
  return names.size === first.names.size ? read : said.flatMap((message) => readMessage(message, { words, names }))
}

/** `I meant Bergen, not Oslo`: says the other again of which the same speaker has just said the one. */
function correct(found: Found[], { message, reading }: Read, passage: Passage): boolean {
  const correction = passage.isQuestion ? undefined : meantIn(passage.text)
  if (correction === undefined) return false
  const said = correction.said.toLowerCase()
  const place = found.findLastIndex(({ fact, speaker }, at) => at >= found.length - maxBack && speaker === message.name && fact.says === 'is' && fact.object.toLowerCase() === said)
  const before = found[place]?.fact
  if (before === undefined) return false
  const { when, until, ...rest } = before
  const corrected = { ...rest, object: correction.meant, instead: before.object, seq: message.seq, quote: rawOf(reading, passage.from, passage.to) }
  // Said wrong and put right in one message, it was never stated. Times of another message are no words of this one.
  if (before.seq === message.seq) found[place] = { passage, speaker: message.name, fact: { ...corrected, ...(when === undefined ? {} : { when }), ...(until === undefined ? {} : { until }) } }
  // Of whom and what it speaks, the other message alone says.
  else found.push({ passage, speaker: message.name, fact: { ...corrected, also: [...new Set([...(before.also ?? []), before.seq])] } })
  return true
}

/** Takes out what a sentence said. */
function drop(found: Found[], passage: Passage | undefined): void {
  if (passage !== undefined) found.splice(0, found.length, ...found.filter((one) => one.passage !== passage))
}

function isSame(a: StatedFact, b: StatedFact): boolean {
  return a.seq === b.seq && a.says === b.says && a.subject === b.subject && a.predicate === b.predicate && a.object === b.object && a.when === b.when && a.instead === b.instead
}

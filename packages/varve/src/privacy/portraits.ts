import { wordsOfLine } from '../extractive/portrait-writer.ts'
import { portrayed } from '../facts/portrayed.ts'
import type { SubjectFacts } from '../facts/profiles.ts'
import { endedStates } from '../facts/superseded.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Program } from '../storage/program.ts'
import type { SaidSentence } from './pooled.ts'
import type { Portrait, Saying } from './saying.ts'
import { personKey, type Pooled } from './sayings.ts'
import { type QuotedPlace, quotable, toldFacts } from './told-facts.ts'

/** The words of a portrait, and its most sentences of gists. Facts that are always told may take more words. */
const mostWords = 150
const mostSentences = 10

/** Makes the portraits: of each person first the facts that are always told, then the sentences of gists for which there is room. */
export function* portraitsOf(
  partition: PartitionId,
  source: number,
  { subjects, pooled, now }: { readonly subjects: readonly SubjectFacts[]; readonly pooled: Pooled; readonly now: number },
): Program<readonly Portrait[]> {
  const keyOf = (name: string | null): string => personKey(name, partition, pooled.entities)
  const said = new Map(pooled.persons.map((person) => [person.key, person]))
  const known = new Set(subjects.map(({ subject }) => keyOf(subject)))
  const persons = [
    ...subjects.map(({ subject, facts }) => ({ key: keyOf(subject), subject, facts: portrayed(facts) })),
    ...pooled.persons.filter(({ key }) => !known.has(key)).map(({ key, subject }) => ({ key, subject, facts: [] })),
  ]
  const sources = persons.flatMap(({ facts }) => quotable(facts))
  const quoted = pooled.persons.flatMap(({ sentences }) => sentences.flatMap(({ session, from }) => from.map((seq) => ({ session, seq }))))
  const isOver = yield* overTest(partition, source, [...sources, ...quoted], now)
  const told = yield* toldFacts(
    source,
    persons.map(({ key, facts }) => ({ facts, isSpeaker: (name) => keyOf(name) === key })),
    isOver,
  )
  return persons
    .map(({ key, subject }, place) => {
      const sentences = (said.get(key)?.sentences ?? []).filter(({ session, from }) => !from.some((seq) => isOver({ session, seq })))
      return { subject, sayings: withSentences(told[place] ?? [], sentences) }
    })
    .filter(({ sayings }) => sayings.length > 0)
}

/** Adds sentences while there is room, none of a message that is quoted already. */
function withSentences(told: readonly Saying[], sentences: readonly SaidSentence[]): readonly Saying[] {
  const quoted = new Set(told.flatMap(({ session, from }) => from.map((seq) => placeKey(session, seq))))
  let left = mostWords - told.reduce((sum, { text }) => sum + wordsOfLine(text), 0)
  const added: Saying[] = []
  for (const { text, words, session, from, at } of sentences) {
    if (words > left || added.length >= mostSentences || from.some((seq) => quoted.has(placeKey(session, seq)))) continue
    left -= words
    added.push({ text, at, session, from, facts: [] })
  }
  return [...told, ...added]
}

/** Finds the messages of which a state has ended: a sentence of one may tell it. */
function* overTest(
  partition: PartitionId,
  source: number,
  places: readonly QuotedPlace[],
  now: number,
): Program<(place: QuotedPlace) => boolean> {
  const spans = places.map(({ session, seq }) => ({ session, from: seq, to: seq }))
  const { states } = yield* endedStates(partition, source, spans, now)
  const over = new Set(states.map(({ session, seq }) => placeKey(session, seq)))
  return ({ session, seq }) => over.has(placeKey(session, seq))
}

function placeKey(session: string | undefined, seq: number): string {
  return JSON.stringify([session, seq])
}

import { wordsOfLine } from '../extractive/portrait-writer.ts'
import { givesWay, portrayed } from '../facts/portrayed.ts'
import type { SubjectFacts } from '../facts/profiles.ts'
import { endedStates } from '../facts/superseded.ts'
import { contentTerms } from '../index/content-terms.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Program } from '../storage/program.ts'
import type { Portrait, Saying } from './saying.ts'
import { type PersonSayings, personKey, type Pooled, type TellingSentence } from './sayings.ts'
import { mostTelling, placeKey, type PortraitLine } from './telling.ts'
import { type QuotedPlace, quotable, toldFacts } from './told-facts.ts'

/** The words of a portrait, and its most lines of tastes and of gists. Facts that are always told may take more words. */
const mostWords = 150
const mostChosen = 10

/**
 * Makes the portraits: of each person first who the person is and what was added, then the tastes and the sentences of gists that
 * tell most, for which there is room.
 */
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
    .map(({ key, subject, facts }, place) => {
      const person = said.get(key)
      const sentences = (person?.sentences ?? []).filter(({ session, from }) => !from.some((seq) => isOver({ session, seq })))
      const tastes = new Set(facts.filter(givesWay).map(({ id }) => id))
      return { subject, sayings: chosenWith(told[place] ?? [], (id) => tastes.has(id), sentences, person) }
    })
    .filter(({ sayings }) => sayings.length > 0)
}

interface SayingLine extends PortraitLine {
  readonly saying: Saying
}

/** Puts what tells most of the person after the facts that are always told. Tastes and sentences have the same room. */
function chosenWith(
  facts: readonly Saying[],
  isOfTaste: (fact: string) => boolean,
  sentences: readonly TellingSentence[],
  { themes = new Map(), language = '' }: Partial<PersonSayings> = {},
): readonly Saying[] {
  const lines = facts.map((saying): SayingLine => {
    const { text, session, from, facts: of } = saying
    const places = from.map((seq) => placeKey(session, seq))
    return { saying, text, words: wordsOfLine(text), terms: new Set(contentTerms(text, language)), places, isTaste: of.every(isOfTaste) }
  })
  const { tastes = [], before = [] } = Object.groupBy(lines, ({ isTaste: isOne }) => (isOne === true ? 'tastes' : 'before'))
  const others = sentences.map(({ text, session, from, at, ...line }) => ({
    ...line,
    text,
    saying: { text, at, session, from, facts: [] },
  }))
  const maxWords = mostWords - before.reduce((sum, { words }) => sum + words, 0)
  const chosen = mostTelling([...tastes, ...others], themes, { most: mostChosen, maxWords, before })
  return [...before, ...chosen].map(({ saying }) => saying)
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

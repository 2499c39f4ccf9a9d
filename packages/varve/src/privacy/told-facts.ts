import { isQuotable } from '../extractive/portrait-writer.ts'
import type { Fact } from '../facts/fact.ts'
import { byHand } from '../models/writer.ts'
import type { FactSource } from '../storage/known/assertion-rows.ts'
import { soleSpeaker, spokenRows } from '../storage/log/speakers.ts'
import type { Program } from '../storage/program.ts'
import { speaksToReader } from '../tasks/speaks-to-reader.ts'
import type { Saying } from './saying.ts'

/** Facts on one person. */
export interface ToldPerson {
  readonly facts: readonly Fact[]
  /** Tells whether a speaker is the person. Null is the user. */
  isSpeaker(name: string | null): boolean
}

/** A message: its session by the caller's name, and its seq there. */
export interface QuotedPlace {
  readonly session: string
  readonly seq: number
}

/** The sources of a fact among which a clear sentence is looked for. */
const mostSources = 3

/** Returns the messages that may be quoted for facts. */
export function quotable(facts: readonly Fact[]): readonly FactSource[] {
  return facts.flatMap((fact) => fact.sources.slice(0, mostSources))
}

/**
 * Tells facts on persons in the persons' own words, where these are understood by themselves, and nothing of their message
 * is over. Facts of one sentence are one line.
 */
export function* toldFacts(
  partition: number,
  persons: readonly ToldPerson[],
  isOver: (place: QuotedPlace) => boolean,
): Program<readonly (readonly Saying[])[]> {
  const sources = persons.flatMap(({ facts }) => quotable(facts))
  const bySession = [...Map.groupBy(sources, ({ session }) => session)]
  const spoken = yield* spokenRows(
    partition,
    bySession.map(([session, of]) => ({ session, seqs: of.map(({ seq }) => seq) })),
  )
  const speakers = new Map(
    bySession.flatMap(([, of], place) => of.map((source) => [source, soleSpeaker(spoken[place] ?? new Map(), [source.seq])] as const)),
  )
  return persons.map(({ facts, isSpeaker }) => {
    const isOwn = (source: FactSource): boolean => {
      const speaker = speakers.get(source)
      return speaker !== undefined && isSpeaker(speaker.name) && !isOver(source)
    }
    const lines = Map.groupBy(
      facts.map((fact) => lineOf(fact, isOwn)),
      ({ text }) => text,
    )
    return [...lines.values()].flatMap((same) => same.slice(0, 1).map((one) => ({ ...one, facts: same.flatMap(({ facts: of }) => of) })))
  })
}

function lineOf({ id, predicate, object, recordedAt, writer, sources }: Fact, isOwn: (source: FactSource) => boolean): Saying {
  const quoted = sources.find((source) => isOwn(source) && isQuotable(source.text) && !speaksToReader(source.text))
  const source = quoted ?? sources[0]
  const text = quoted?.text ?? `${predicate} ${object}`
  if (source === undefined) return { text, at: recordedAt, from: [], facts: [id], ...(writer === byHand ? {} : { notedBy: writer }) }
  return { text, at: source.at, session: source.session, from: [source.seq], facts: [id] }
}

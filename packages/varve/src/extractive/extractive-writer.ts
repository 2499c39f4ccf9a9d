import {
  type BulletBounds,
  bulletBounds,
  type DigestBullet,
  digestBounds,
  type DigestSource,
  type ExtractiveWriter,
  type GistBounds,
  gistBounds,
  type Sentence,
  type SourceMessage,
} from '../models/writer.ts'
import { type Budget, chooseUnits } from './coverage.ts'
import { endsInstruction } from './instructions/ends-instruction.ts'
import { statedInstructions } from './instructions/stated-instructions.ts'
import { languagePacks } from './languages.ts'
import type { ExtractiveMeans } from './means.ts'
import { type SaidMessage, statementsOf } from './statements.ts'
import { topicsOf } from './topics.ts'
import { type Unit, unitsOf } from './units.ts'
import { workedOutOnce } from './worked-out-once.ts'
import { chooseWritten } from './written.ts'

/** The first bullet is worth most. The n-th counts 1 / (1 + .1 n) beside it. */
const perPlace = 0.1

/** A sentence of a gist costs little beside its words. A bank shows few bullets of each session: each must be worth its place. */
const costOfSentence = 1
const costOfBullet = 5

/**
 * Writes gists, bullets and facts without a language model. Every sentence is a quote after its speaker's name. `countWords`
 * counts the words.
 *
 * @example extractiveWriter({ terms: (text) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [] }).gist(messages)
 */
export function extractiveWriter(means: ExtractiveMeans): ExtractiveWriter {
  const stated = workedOutOnce((messages: readonly SourceMessage[]): Stated => {
    const said = statementsOf(messages, means)
    return { said, units: unitsOf(said) }
  })
  return {
    gist: (messages, bounds = gistBounds) => gist(stated(messages), bounds),
    bullets: (messages, bounds = bulletBounds) => bullets(stated(messages), bounds),
    fuse: (parts, bounds) => fuse(parts, means, bounds),
    digest: (children, bounds = digestBounds) => digest(children, means, bounds),
    facts: (messages) => languagePacks.flatMap(({ facts }) => facts?.(messages) ?? []),
    subjects: (messages) => languagePacks.flatMap(({ subjects }) => subjects?.(messages) ?? []),
    instructions: (messages) => statedInstructions(messages, languagePacks),
    endsInstruction,
    statesEndedBy: (later, earlier) => languagePacks.flatMap((pack) => pack.statesEndedBy?.(later, earlier) ?? []),
  }
}

interface Stated {
  readonly said: readonly SaidMessage[]
  readonly units: readonly Unit[]
}

/** Leaves out lines of feelings alone. Bullets keep them: without, a bank of 2,000 tokens covers .015 less of what is asked for. */
function gist({ said, units }: Stated, bounds: GistBounds): Sentence[] {
  const telling = units.filter(({ isEmpty }) => isEmpty !== true)
  const chosen = chooseUnits(telling, topicsOf(said, telling), budgetOf(bounds))
  return sentencesOf(
    chosen.toSorted((a, b) => a.first - b.first),
    said,
  )
}

/** A question before its answer takes half of a bullet’s words: bullets do without. */
function bullets({ said, units }: Stated, bounds: BulletBounds): Sentence[] {
  const alone = units.filter(({ after }) => after === undefined)
  return sentencesOf(chooseUnits(alone, topicsOf(said, alone), budgetOf(bounds)), said)
}

function sentencesOf(chosen: readonly Unit[], said: readonly SaidMessage[]): Sentence[] {
  return chosen.map(({ text, of, after = of }) => ({ text, from: said.slice(after, of + 1).map(({ message }) => message.seq) }))
}

function budgetOf(bounds: GistBounds | BulletBounds): Budget {
  const { maxWords } = bounds
  return 'maxSentences' in bounds
    ? { most: bounds.maxSentences, maxWords, lineCost: costOfSentence }
    : { most: bounds.maxBullets, maxWords, lineCost: costOfBullet }
}

function fuse(parts: readonly (readonly Sentence[])[], means: ExtractiveMeans, bounds: GistBounds | BulletBounds): Sentence[] {
  const isGist = 'maxSentences' in bounds
  const all = parts.flatMap((part) =>
    part.map((sentence, at) => ({ sentence, text: sentence.text, weight: isGist ? 1 : 1 / (1 + perPlace * at) })),
  )
  const kept = chooseWritten(all, means, budgetOf(bounds))
  const ordered = isGist ? kept.toSorted((a, b) => a.place - b.place) : kept
  return ordered.flatMap(({ text, place }) => all.slice(place, place + 1).map(({ sentence }) => ({ text, from: sentence.from })))
}

function digest(children: readonly DigestSource[], means: ExtractiveMeans, bounds: BulletBounds): DigestBullet[] {
  const all = children.flatMap(({ bullets, weight }, child) =>
    bullets.map(({ text }, at) => ({ child, text, weight: weight / (1 + perPlace * at) })),
  )
  return chooseWritten(all, means, budgetOf(bounds)).flatMap(({ text, place }) =>
    all.slice(place, place + 1).map(({ child }) => ({ text, from: [child] })),
  )
}

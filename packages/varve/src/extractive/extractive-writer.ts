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
import { statementsOf } from './statements.ts'
import { topicsOf } from './topics.ts'
import { type Unit, unitsOf } from './units.ts'
import { chooseWritten } from './written.ts'

/** The first bullet is worth most. The n-th counts 1 / (1 + .1 n) beside it. */
const perPlace = 0.1

/**
 * Writes gists, bullets and facts without a language model. Every sentence names its speaker: it is in the third person where
 * that is safe (English), otherwise quoted after the name. `countWords` counts the words.
 *
 * @example extractiveWriter({ terms: (text) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [] }).gist(messages)
 */
export function extractiveWriter(means: ExtractiveMeans): ExtractiveWriter {
  return {
    gist: (messages, bounds = gistBounds) => sentences(messages, means, { ...bounds, most: bounds.maxSentences }, inOrderOfTalk),
    bullets: (messages, bounds = bulletBounds) => sentences(messages, means, { ...bounds, most: bounds.maxBullets }, (units) => units),
    fuse: (parts, bounds) => fuse(parts, means, bounds),
    digest: (children, bounds = digestBounds) => digest(children, means, bounds),
    facts: (messages) => languagePacks.flatMap(({ facts }) => facts?.(messages) ?? []),
    subjects: (messages) => languagePacks.flatMap(({ subjects }) => subjects?.(messages) ?? []),
    instructions: (messages) => statedInstructions(messages, languagePacks),
    endsInstruction,
    statesEndedBy: (later, earlier) => languagePacks.flatMap((pack) => pack.statesEndedBy?.(later, earlier) ?? []),
  }
}

type Order = (units: Unit[]) => Unit[]

function sentences(messages: readonly SourceMessage[], means: ExtractiveMeans, budget: Budget, order: Order): Sentence[] {
  const said = statementsOf(messages, means)
  const units = unitsOf(said)
  const chosen = order(chooseUnits(units, topicsOf(said, units), budget))
  return chosen.flatMap(({ text, of }) => said.slice(of, of + 1).map(({ message }) => ({ text, from: [message.seq] })))
}

function inOrderOfTalk(units: Unit[]): Unit[] {
  return units.toSorted((a, b) => a.of - b.of || a.first - b.first)
}

function fuse(parts: readonly (readonly Sentence[])[], means: ExtractiveMeans, bounds: GistBounds | BulletBounds): Sentence[] {
  const isGist = 'maxSentences' in bounds
  const all = parts.flatMap((part) =>
    part.map((sentence, at) => ({ sentence, text: sentence.text, weight: isGist ? 1 : 1 / (1 + perPlace * at) })),
  )
  const kept = chooseWritten(all, means, { most: isGist ? bounds.maxSentences : bounds.maxBullets, maxWords: bounds.maxWords })
  const ordered = isGist ? kept.toSorted((a, b) => a.place - b.place) : kept
  return ordered.flatMap(({ text, place }) => all.slice(place, place + 1).map(({ sentence }) => ({ text, from: sentence.from })))
}

function digest(children: readonly DigestSource[], means: ExtractiveMeans, { maxBullets, maxWords }: BulletBounds): DigestBullet[] {
  const all = children.flatMap(({ bullets, weight }, child) =>
    bullets.map(({ text }, at) => ({ child, text, weight: weight / (1 + perPlace * at) })),
  )
  return chooseWritten(all, means, { most: maxBullets, maxWords }).flatMap(({ text, place }) =>
    all.slice(place, place + 1).map(({ child }) => ({ text, from: [child] })),
  )
}

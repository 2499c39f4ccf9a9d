import { Segments } from '../../packages/varve/src/index/segments.ts'
import { identity } from '../../packages/varve/src/models/minilm/identity.ts'
import { miniLm } from '../../packages/varve/src/models/minilm/minilm.ts'
import type { AskedVector } from '../../packages/varve/src/recall/asked-vector.ts'
import type { Evidence } from '../../packages/varve/src/recall/confidence.ts'
import { questionText } from '../../packages/varve/src/recall/question-text.ts'
import { find } from '../../packages/varve/src/recall/recall.ts'
import { recallRequest } from '../../packages/varve/src/recall/request.ts'
import { parseScope } from '../../packages/varve/src/scope/scope.ts'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { type Conversation, isAnswerable } from '../talk/conversation.ts'
import { filled, userOf } from '../talk/fill.ts'
import { invented } from './invented.ts'

/**
 * Sets of questions. `silent`: a subject that is there, but its answer was never said. `other`: asked of another
 * conversation. `renamed`: the same with the names of the people here.
 */
export const absentSets = ['other', 'renamed', 'invented'] as const
export type QuestionSet = 'answerable' | 'silent' | (typeof absentSets)[number]

/** The evidence that one question found in one conversation; undefined when it found nothing. */
export interface Sample {
  readonly set: QuestionSet
  readonly conversation: number
  readonly evidence: Evidence | undefined
}

interface Asked {
  readonly set: QuestionSet
  readonly text: string
}

const segmentBytes = 512 * 1024 * 1024

/** The most questions of other conversations, and invented ones, that a small partition is asked. */
const fewAsked = { other: 12, invented: 8 }

/** Fills a store with conversations, a partition each, and asks each all questions: its own, the others' and invented ones. */
export async function sampled(
  conversations: readonly Conversation[],
  { store, embeddings, isFew }: { store: string; embeddings: 'on' | 'off'; isFew: boolean },
): Promise<Sample[]> {
  await (await filled(conversations, { embeddings, partitions: 'each', store })).memory.close()
  const connection = openConnection(store)
  const segments = new Segments(segmentBytes)
  const model = embeddings === 'on' ? miniLm({ threads: 1 }) : undefined
  const vectors = new Map<string, Float32Array | undefined>()
  const now = Date.now()
  const samples: Sample[] = []
  for (const conversation of conversations) {
    const { partition } = parseScope(userOf(conversation.place, 'each'))
    const vectorOf = async (text: string): Promise<AskedVector | undefined> => {
      if (model === undefined) return undefined
      const named = execute(connection, questionText(segments, partition, text, identity)).text ?? text
      if (!vectors.has(named)) vectors.set(named, (await model.embed([named]))[0])
      const vector = vectors.get(named)
      return vector === undefined ? undefined : { maker: identity, vector }
    }
    for (const { set, text } of questionsFor(conversation, conversations, isFew)) {
      const asked = await vectorOf(text)
      const { evidence } = execute(connection, find(segments, partition, recallRequest({ query: text }, now), asked))
      samples.push({ set, conversation: conversation.place, evidence })
    }
  }
  await model?.close()
  connection.close()
  return samples
}

function questionsFor(here: Conversation, all: readonly Conversation[], isFew: boolean): Asked[] {
  const names = speakersOf(here)
  const others = all.filter(({ place }) => place !== here.place)
  const asked = (isFew ? some(others, fewAsked.other, here.place) : others).flatMap((other) => {
    const questions = other.questions.filter(isAnswerable)
    return (isFew ? some(questions, 1, here.place) : questions).map(({ text }) => ({ text, names: speakersOf(other) }))
  })
  return [
    ...[...here.questions, ...here.withoutEvidence.filter((question) => !isAnswerable(question))].map((question): Asked => ({
      set: isAnswerable(question) ? 'answerable' : 'silent',
      text: question.text,
    })),
    ...asked.map(({ text }): Asked => ({ set: 'other', text })),
    ...(names.length === 0 ? [] : asked.map(({ text, names: theirs }): Asked => ({ set: 'renamed', text: renamed(text, theirs, names) }))),
    ...(isFew ? some(invented, fewAsked.invented, here.place) : invented).map((text, place): Asked => ({
      set: 'invented',
      text: text.replaceAll('{name}', names[place % Math.max(1, names.length)] ?? 'I'),
    })),
  ]
}

function speakersOf({ sessions }: Conversation): string[] {
  return [...new Set(sessions.flatMap(({ turns }) => turns.flatMap(({ speaker }) => speaker ?? [])))]
}

function renamed(text: string, theirs: readonly string[], ours: readonly string[]): string {
  return theirs.reduce((left, name, place) => left.replaceAll(name, ours[place % ours.length] ?? name), text)
}

/** Takes a few of a list, other ones for each seed. */
function some<Item>(list: readonly Item[], count: number, seed: number): Item[] {
  const step = 7_919
  return Array.from({ length: Math.min(count, list.length) }, (_, place) => list[((seed + place) * step) % list.length]).flatMap(
    (item) => item ?? [],
  )
}

import { queryWords } from '../../packages/varve/src/index/query.ts'
import type { EmbeddingModel } from '../../packages/varve/src/models/embedding-model.ts'
import { paragraphSentences } from '../../packages/varve/src/extractive/sentences.ts'
import type { SourceMessage } from '../../packages/varve/src/models/writer.ts'
import type { Conversation, TalkSession } from '../talk/conversation.ts'

/** A session as a writer reads it, and its sentences in their order, each after its speaker's name. */
export interface Talk {
  readonly begin: number
  readonly messages: readonly SourceMessage[]
  readonly sentences: readonly string[]
}

const betweenTurnsMs = 1_000

/** Returns content terms as the index stems them, without stop words. */
export function terms(text: string): string[] {
  return queryWords(text, ['en'])
    .filter(({ stop }) => !stop)
    .map(({ written, variants: [stemmed = written] }) => stemmed)
}

/** Returns the conversation's sessions; with a model, each message has its vector. */
export async function talksOf({ sessions }: Conversation, model: EmbeddingModel | undefined): Promise<Talk[]> {
  const talks: Talk[] = []
  for (const session of sessions) talks.push(await talkOf(session, model))
  return talks
}

async function talkOf({ begin = 0, turns }: TalkSession, model: EmbeddingModel | undefined): Promise<Talk> {
  const vectors = await model?.embed(turns.map(({ text }) => text))
  const messages = turns.map(({ role, speaker = role, text }, index): SourceMessage => {
    const vector = vectors?.[index]
    return {
      seq: index + 1,
      role: 'user',
      origin: 'person',
      name: speaker,
      at: begin + index * betweenTurnsMs,
      text,
      ...(vector === undefined ? {} : { vector }),
    }
  })
  return {
    begin,
    messages,
    sentences: turns.flatMap(({ role, speaker = role, text }) => paragraphSentences(text).map((sentence) => `${speaker}: ${sentence}`)),
  }
}

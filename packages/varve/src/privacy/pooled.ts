import { type OwnSentence, ownSentence } from '../extractive/portrait-writer.ts'
import { extractive } from '../models/writer.ts'
import type { NamedItem } from '../storage/derived/items.ts'
import { sentencesOf } from '../storage/derived/parts.ts'
import { soleSpeaker, spokenRows } from '../storage/log/speakers.ts'
import type { Program } from '../storage/program.ts'

/** A sentence of a gist that one person said of himself. */
export interface SaidSentence extends OwnSentence {
  readonly session: string
  readonly from: readonly number[]
  readonly at: number
  /** Null for the user. */
  readonly name: string | null
  /** ISO 639-1; '' for unknown. */
  readonly language: string
}

/**
 * Reads from gists the sentences that tell of their speakers. A sentence that rests on several speakers, on an assistant
 * or on a tool tells of nobody. What a model wrote is not the speaker's words.
 */
export function* ownSentencesOf(partition: number, gists: readonly NamedItem[]): Program<readonly (readonly SaidSentence[])[]> {
  const read = gists.map((item) => ({
    session: item.session ?? '',
    sentences: item.writer === extractive ? sentencesOf(item).filter(({ from }) => from.length > 0) : [],
  }))
  const spoken = yield* spokenRows(
    partition,
    read.map(({ session, sentences }) => ({ session, seqs: sentences.flatMap(({ from }) => from) })),
  )
  return read.map(({ session, sentences }, place) =>
    sentences.flatMap(({ text, from }): SaidSentence[] => {
      const speaker = soleSpeaker(spoken[place] ?? new Map(), from)
      if (speaker === undefined) return []
      const { name, language, said_at: at } = speaker
      const own = ownSentence(text, name ?? undefined, language)
      return own === undefined ? [] : [{ ...own, session, from, at, name, language }]
    }),
  )
}

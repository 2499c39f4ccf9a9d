import { firstPerson, pointsBack, questionMark, secondPerson } from '../extractive/cues.ts'
import { languagePacks } from '../extractive/languages.ts'
import { speakerOf } from '../extractive/speaker.ts'
import { countWords } from '../extractive/words.ts'
import type { NamedItem } from '../storage/derived/items.ts'
import { sentencesOf } from '../storage/derived/parts.ts'
import { soleSpeaker, spokenRows } from '../storage/log/speakers.ts'
import type { Program } from '../storage/program.ts'

/** A sentence of a gist that one person said of himself. */
export interface SaidSentence {
  /** Without the speaker's name before it. */
  readonly text: string
  readonly words: number
  readonly session: string
  readonly from: readonly number[]
  readonly at: number
  /** Null for the user. */
  readonly name: string | null
  /** ISO 639-1; '' for unknown. */
  readonly language: string
}

/** A shorter sentence hardly tells anything of a person. */
const fewestWords = 8

const languagesKnown: ReadonlySet<string> = new Set(languagePacks.map(({ language }) => language))

/**
 * Reads from gists the sentences that tell of their speakers. A sentence that rests on several speakers, on an assistant
 * or on a tool tells of nobody.
 */
export function* saidIn(partition: number, gists: readonly NamedItem[]): Program<readonly (readonly SaidSentence[])[]> {
  const read = gists.map((item) => ({ session: item.session ?? '', sentences: sentencesOf(item).filter(({ from }) => from.length > 0) }))
  const spoken = yield* spokenRows(
    partition,
    read.map(({ session, sentences }) => ({ session, seqs: sentences.flatMap(({ from }) => from) })),
  )
  return read.map(({ session, sentences }, place) =>
    sentences.flatMap(({ text, from }): SaidSentence[] => {
      const speaker = soleSpeaker(spoken[place] ?? new Map(), from)
      if (speaker === undefined) return []
      const { name, language, said_at: at } = speaker
      const named = speakerOf({ ...(name === null ? {} : { name }), origin: 'person' })
      const said = withoutSpeaker(text, named)
      const words = countWords(said)
      const isTelling = words >= fewestWords && tellsOfSpeaker(said, named, language)
      return isTelling ? [{ text: said, words, session, from, at, name, language }] : []
    }),
  )
}

/** Removes the speaker's name, which the writer puts before a quote. */
function withoutSpeaker(text: string, speaker: string): string {
  return text.toLowerCase().startsWith(`${speaker.toLowerCase()}: `) ? text.slice(speaker.length + 2) : text
}

/**
 * Tells whether a sentence tells of its speaker: no question, no praise of the listener, nothing that points back. In a
 * language whose words are known it is in the first person, or it names the speaker.
 */
function tellsOfSpeaker(text: string, speaker: string, language: string): boolean {
  if (questionMark.test(text) || secondPerson.test(text) || pointsBack.test(text)) return false
  return !languagesKnown.has(language) || firstPerson.test(text) || text.toLowerCase().includes(speaker.toLowerCase())
}

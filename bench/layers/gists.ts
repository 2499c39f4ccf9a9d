import { extractiveWriter } from '../../packages/varve/src/extractive/extractive-writer.ts'
import { worthOf } from '../../packages/varve/src/extractive/salience.ts'
import { speakerOf } from '../../packages/varve/src/extractive/speaker.ts'
import { regex } from '../../packages/varve/src/extractive/word-lists.ts'
import { countWords } from '../../packages/varve/src/extractive/words.ts'
import { gistBounds, type Sentence, type SourceMessage } from '../../packages/varve/src/models/writer.ts'
import { terms } from '../coverage/talks.ts'
import type { Conversation, TalkSession } from '../talk/conversation.ts'

/** A sentence of a gist with the message that it rests on. */
export interface GistSentence {
  readonly text: string
  /** The words after the speaker's name, where the sentence is a quote; else the whole sentence. */
  readonly said: string
  readonly isQuote: boolean
  readonly message: SourceMessage
}

/** Named shares of the sentences, and sizes a gist. */
export type GistRates = Readonly<Record<string, number>>

const maxPartMessages = 40
/** Longer sentences run on. */
const runOnWords = 40
/** A sentence of a person without any reason to keep it is worth 1. */
const floor = 1

const pronoun =
  /^(?:it|its|it['’]s|they|them|their|they['’]\w+|that|that['’]s|these|those|this|he|she|his|her|hers|him|he['’]s|she['’]s|which)\b/iu
/** These begin with a pronoun that points at nothing before: `this week`, `that said`, `it was raining`. */
const noPronoun = regex('iu')`^(?:(?:this|that) (?:\w+ )?(?:week|weekend|month|year|morning|evening|night|afternoon|summer|winter|spring|
  fall|time)|it (?:is |was |['’]s )?rain|that said)`
const code = regex('u')`[{}]|=>|[=!]==?|\(\)|;\s*$|\b(?:const|let|var|def|return|import|function|class|SELECT|INSERT|
  CREATE TABLE)\s+[\w*{]+\s*(?:[=({;:]|FROM|from)|<\/?\w+|"\w+"\s*:|\s--?[a-z][\w-]+(?:[ =]|$)|(?:^|\s)(?:\$|
  sudo|npm|pip|git|docker|curl|cd|python3?) (?:\S+ )?[-./\w]+|\w\.\w+\(|^\w+(?:\.\w+)+$|\|`
const listLine = /^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+/u

const flaws: Readonly<Record<string, (one: GistSentence) => boolean>> = {
  'begins with a pronoun': ({ said }) => pronoun.test(said) && !noPronoun.test(said),
  'rewritten badly': isRewrittenBadly,
  'runs on': ({ text }) => countWords(text) > runOnWords || (text.match(/;/gu)?.length ?? 0) > 1,
  'is cut': ({ text }) => text.endsWith('…'),
  'is code': ({ said }) => code.test(said),
  "is of an assistant's list": isOfList,
  'is worth little': ({ said, message }) => worthOf(said, { terms: terms(said).length, origin: message.origin, isOpen: false }) < floor,
}

/** Measures the gists that the extractive writer makes of whole conversations. */
export function gistRates(conversations: readonly Conversation[]): GistRates {
  const gists = conversations.flatMap(gistsOf)
  const sentences = gists.flat()
  const shares = Object.entries(flaws).map(([name, has]) => [name, sentences.filter(has).length / sentences.length])
  const words = sentences.reduce((sum, { text }) => sum + countWords(text), 0)
  const flawed = sentences.filter((one) => Object.values(flaws).some((has) => has(one))).length
  return Object.fromEntries([
    ...shares,
    ['any of these', flawed / sentences.length],
    ['sentences', sentences.length],
    ['sentences a gist', sentences.length / gists.length],
    ['words a gist', words / gists.length],
    ['words a sentence', words / sentences.length],
    ['gists without a sentence', gists.filter((gist) => gist.length === 0).length / gists.length],
  ])
}

/** Writes the gist of each session, in parts where it is long, as upkeep does. */
export function gistsOf({ sessions }: Conversation): GistSentence[][] {
  const writer = extractiveWriter({ terms })
  return sessions.map((session) => {
    const messages = messagesOf(session)
    const parts = Array.from({ length: Math.ceil(messages.length / maxPartMessages) }, (_, at) =>
      writer.gist(messages.slice(at * maxPartMessages, (at + 1) * maxPartMessages)),
    )
    const gist = parts.length === 1 ? parts.flat() : writer.fuse(parts, gistBounds)
    return gist.flatMap((sentence) => read(sentence, messages))
  })
}

function messagesOf({ begin = 0, turns }: TalkSession): SourceMessage[] {
  return turns.map(({ role, speaker, text }, at) => ({
    seq: at + 1,
    role,
    origin: role === 'user' ? 'person' : 'assistant',
    at: begin + at,
    text,
    ...(speaker === undefined ? {} : { name: speaker }),
  }))
}

function read({ text, from }: Sentence, messages: readonly SourceMessage[]): GistSentence[] {
  const message = messages[(from[0] ?? 0) - 1]
  if (message === undefined) return []
  const before = new RegExp(String.raw`^${RegExp.escape(speakerOf(message))}(?: asked)?: ["“]?`, 'iu').exec(text)?.[0] ?? ''
  return [{ text, said: text.slice(before.length), isQuote: before !== '', message }]
}

function isRewrittenBadly({ text, isQuote, message }: GistSentence): boolean {
  if (isQuote) return false
  const name = RegExp.escape(speakerOf(message))
  const mentions = text.match(new RegExp(`\\b${name}\\b`, 'giu'))?.length ?? 0
  return (
    mentions > 1 || /\b(?:their|themsel\w+)\b/iu.test(text) || new RegExp(`\\b${name} (?:am|are|were|have|do|don['’]t)\\b`, 'iu').test(text)
  )
}

function isOfList({ said, message }: GistSentence): boolean {
  if (message.origin !== 'assistant') return false
  const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')
  const start = plain(said).slice(0, 24)
  return message.text.split('\n').some((line) => listLine.test(line) && plain(line.replace(listLine, '')).includes(start))
}

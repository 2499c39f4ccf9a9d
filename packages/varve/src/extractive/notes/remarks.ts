import type { NotedMessage, NotesKind } from '../../models/notes-writer.ts'
import { codeLines } from '../code-lines.ts'
import { isSmallTalk } from '../small-talk.ts'
import { strongAnchors, weakAnchors } from './anchors.ts'
import { errorLines } from './error-lines.ts'
import { isAnnouncement, kindOfRemark, withoutPleasantry } from './remark-cues.ts'
import { cutAround, asOneLine, maxQuoted } from './wording.ts'

/** A sentence that somebody said. */
export interface Remark {
  readonly seq: number
  readonly isPerson: boolean
  readonly text: string
  /** The beginning of the sentence, for a title. */
  readonly begin: string
  readonly kind: NotesKind | undefined
  /** The number of ids, addresses, versions, amounts and names of code in it. */
  readonly anchors: number
}

/** The parts of a message that are read: its first and its last sentences. */
const maxSentences = 60
const maxLength = 20_000
const maxPasted = 3

const maxTitle = 80
const greeting = /^(?:hey|hi|hello|woohoo|wow|yo)\b[^,!.?]{0,24}[,!.?]\s*/iu

const listMark = /^\s*(?:(?:[-*+•>]|\d{1,3}[.)]|#{1,6}|\[[ x]\])\s+)+/iu
const sentenceEnd = /(?<=[.!?。！？])["'”’)]?\s+(?=["'“‘(`]?[\p{Lu}\p{N}\p{Lo}`])|(?<=[。！？])/u

/** Returns the sentences of a message, and the errors that were pasted into it. */
export function remarksIn(message: NotedMessage): { readonly remarks: readonly Remark[]; readonly pasted: readonly string[] } {
  const isPerson = message.origin === 'person'
  if (!isPerson && message.origin !== 'assistant') return { remarks: [], pasted: [] }
  const { prose, code } = linesOf(message)
  const whole = prose.flatMap((line) => line.split(sentenceEnd)).map((sentence) => withoutPleasantry(asOneLine(sentence)))
  const sentences = whole.filter((sentence) => /\p{L}{2}/u.test(sentence))
  const isLong = sentences.length > maxSentences
  const read = isLong ? [...sentences.slice(0, maxSentences * 0.6), ...sentences.slice(-maxSentences * 0.4)] : sentences
  const telling = read.filter((text) => !isSmallTalk(text, () => false) && (isPerson || !isAnnouncement(text)))
  const remarks = telling.map((text) => remark(text, message.seq, isPerson))
  return { remarks, pasted: errorLines(code.join('\n'), 3, maxPasted) }
}

function remark(sentence: string, seq: number, isPerson: boolean): Remark {
  const [strong, weak] = [strongAnchors(sentence), weakAnchors(sentence)]
  const text = cutAround(sentence, strong[0] ?? weak[0] ?? 0, maxQuoted)
  return {
    seq,
    isPerson,
    text,
    begin: cutAround(withoutPleasantry(sentence.replace(greeting, '')), 0, maxTitle),
    kind: kindOfRemark(sentence, isPerson),
    anchors: strong.length + weak.length / 2,
  }
}

/** Splits a message into lines of prose and lines of code. Code is in a fence, or looks like a log. */
function linesOf(message: NotedMessage): { prose: string[]; code: string[] } {
  const [prose, code]: [string[], string[]] = [[], []]
  const lines = saidIn(message).split('\n')
  const isCode = codeLines(lines)
  for (const [at, line] of lines.entries()) {
    if (isCode[at] === true || isLog(line)) code.push(line)
    else prose.push(line.replace(listMark, '').replaceAll(/\*\*|__(?=\s|$)/gu, ''))
  }
  return { prose, code }
}

function isLog(line: string): boolean {
  return (
    /^\s*at\s\S+ ?[:(]|^\s*File "|^Traceback|^\s{4,}\S|^\s*\|.*\|\s*$/u.test(line) ||
    (/^\s*(?:[\w./]+(?:Error|Exception)\b|error(?:\[\w+\])?:|E {3}|fatal:|npm ERR!|\d{4}-\d\d-\d\d[T ])/u.test(line) &&
      !/[.!?]\s+\p{Lu}/u.test(line))
  )
}

/**
 * Returns the words of a message without its tool calls. A line of a text part counts only where the message's text has
 * it too: Varve's own insertions are no longer in that text.
 */
function saidIn({ text, parts }: NotedMessage): string {
  if (parts === undefined || parts.length === 0) return text.slice(0, maxLength)
  const own = new Set(text.split('\n'))
  const lines = parts.map(textOf).join('\n').slice(0, maxLength).split('\n')
  return lines.filter((line) => own.has(line)).join('\n')
}

function textOf(part: unknown): string {
  if (typeof part === 'string') return part
  if (part === null || typeof part !== 'object' || !('type' in part) || part.type !== 'text' || !('text' in part)) return ''
  return typeof part.text === 'string' ? part.text : ''
}

import { matchesOf } from '../../messages/matches-of.ts'
import type { SourceMessage, StatedInstruction } from '../../models/writer.ts'
import { type Reading, readingOf } from '../facts/reading.ts'
import type { LanguagePack } from '../language-pack.ts'
import type { InstructionPatterns } from './instruction-patterns.ts'
import { isShortLine, type SentencePart, sentenceParts } from './sentence-parts.ts'

/** The longest instruction, in UTF-16 code units. */
const maxText = 300
/** The most clauses of a sentence that may begin an instruction. */
const maxClauses = 24
/** The words before a clause that tell whose it is. */
const maxBefore = 300

/** Part of a sentence, by its place in it. */
interface Span {
  readonly from: number
  readonly to: number
  readonly isWithdrawal: boolean
  /** True when it is put as a question: `can you always …`. */
  readonly isAsked: boolean
  /** True when the sentence goes on with other words: `I prefer tea, what else is there?`. */
  readonly isBeside: boolean
}

/** Returns the standing instructions that persons give, in the order of the messages: rather few and precise. */
export function statedInstructions(messages: readonly SourceMessage[], packs: readonly LanguagePack[]): StatedInstruction[] {
  return messages.flatMap(({ origin, role, text }, message) => {
    if (origin !== 'person' || role !== 'user') return []
    const reading = readingOf(text, isShortLine)
    const read = packs.flatMap(({ instructions: one, abbreviations }) => (one === undefined ? [] : inMessage(reading, one, abbreviations)))
    return read.map((found) => ({ message, ...found }))
  })
}

type InMessage = Omit<StatedInstruction, 'message'>

function inMessage(reading: Reading, patterns: InstructionPatterns, abbreviations: readonly string[]): InMessage[] {
  if (patterns.isUnmeant(reading.raw)) return []
  const parts = ownParts(sentenceParts(reading, abbreviations), patterns)
  const task = parts.findIndex(({ text }) => patterns.task.test(text))
  return parts.flatMap((part, at) => {
    const spans = spansIn(part, task >= 0 && task < at ? { ...patterns, bareOpenings: [] } : patterns)
    return spans.flatMap((span) => stated(reading, part.from, span))
  })
}

/** Returns the sentences that the person says. A list belongs to the sentence before it; pasted text ends the person's own words. */
function ownParts(parts: readonly SentencePart[], patterns: InstructionPatterns): SentencePart[] {
  const found: SentencePart[] = []
  let ownsItems = true
  for (const part of parts) {
    if (part.isSetIn || (part.isItem && !ownsItems)) continue
    found.push(part)
    if (patterns.introduces.test(part.text) || (part.endsParagraph && patterns.introducesParagraph.test(part.text))) return found
    if (!part.isItem) ownsItems = part.text.endsWith(':') && patterns.ownColon.test(part.text)
  }
  return found
}

/** Returns the instructions of a sentence, from the first clause on. */
function spansIn({ text, isQuestion }: SentencePart, patterns: InstructionPatterns): Span[] {
  const found: Span[] = []
  for (const start of clauseStarts(text, patterns)) {
    if (start < (found.at(-1)?.to ?? 0)) continue
    const span = spanAt(text, start, patterns)
    if (span !== undefined && span.from >= (found.at(-1)?.to ?? 0) && (!isQuestion || span.isAsked || span.isBeside)) found.push(span)
  }
  return found
}

function clauseStarts(text: string, { joint }: InstructionPatterns): number[] {
  const joints = matchesOf(text, joint).slice(0, maxClauses - 1)
  return [0, ...joints.map(({ index, 0: mark }) => index + mark.length)]
}

/** Returns the instruction that begins at a clause. */
function spanAt(text: string, start: number, patterns: InstructionPatterns): Span | undefined {
  const before = text.slice(Math.max(0, start - maxBefore), start)
  if (patterns.notOwn.test(before) || (/: ?$/u.test(before) && !patterns.ownColon.test(before))) return undefined
  const lead = lengthOf(patterns.lead, text.slice(start, start + maxText))
  const request = lengthOf(patterns.request, text.slice(start + lead, start + lead + maxText))
  const from = start + lead + request
  const clause = text.slice(from, from + maxText)
  const withdrawal = firstMatch(patterns.withdrawals, clause)
  const opening = withdrawal ?? openingIn(clause, before, patterns)
  if (opening === undefined) return undefined
  const whole = clause.slice(0, endOf(clause, opening, patterns))
  const instruction = whole.replace(patterns.trail, '').replace(/[\s.,;:!?…–—-]+$/u, '')
  if (instruction === '' || (withdrawal === undefined && patterns.notStanding.test(whole))) return undefined
  const to = from + instruction.length
  const pointsBack = patterns.pointsBack.test(clause)
  if (pointsBack && to > maxText) return undefined
  return {
    from: pointsBack ? lengthOf(patterns.lead, text.slice(0, maxText)) : from,
    to,
    isWithdrawal: withdrawal !== undefined,
    isAsked: request > 0,
    isBeside: /[\p{L}\p{N}]/u.test(text.slice(from + whole.length)),
  }
}

/** Returns the length of an opening. A bare one counts only where nothing before it in its sentence asks for a piece of work. */
function openingIn(clause: string, before: string, { openings, bareOpenings, task }: InstructionPatterns): number | undefined {
  return firstMatch(openings, clause) ?? (task.test(before) ? undefined : firstMatch(bareOpenings, clause))
}

function lengthOf(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.[0].length ?? 0
}

function firstMatch(patterns: readonly RegExp[], clause: string): number | undefined {
  // A loop: an iterator's steps cost more than the hundred patterns that it hands out for each clause.
  for (const pattern of patterns) {
    const found = pattern.exec(clause)
    if (found !== null) return found[0].length
  }
  return undefined
}

/** Returns the place where the words after an opening turn to something else. A clause that is too long ends at a word. */
function endOf(clause: string, opening: number, { next }: InstructionPatterns): number {
  const rest = clause.slice(opening)
  const turn = rest.search(next)
  if (turn >= 0) return opening + turn
  return clause.length < maxText ? clause.length : Math.max(opening, clause.lastIndexOf(' '))
}

function stated({ raw, places }: Reading, sentence: number, { from, to, isWithdrawal }: Span): InMessage[] {
  const begins = places[sentence + from] ?? 0
  const words = raw.slice(begins, Math.min((places[sentence + to - 1] ?? begins) + 1, begins + maxText)).replace(/\p{Cs}$/u, '')
  const text = words.replace(/\s+/gu, ' ').trim()
  return text === '' ? [] : [{ text, begins, ends: begins + words.length, isWithdrawal }]
}

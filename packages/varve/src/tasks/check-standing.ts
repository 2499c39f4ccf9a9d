import * as z from 'zod'
import { longestInstruction } from '../instructions/request.ts'
import type { SourceMessage, StatedInstruction } from '../models/writer.ts'
import { anyWord } from './any-word.ts'
import { isMarkup, wordsIn } from './cleaned-item.ts'
import { folded } from './folded.ts'
import { type Problem, problems } from './problem.ts'
import { hidesSomething, isQuestion, type Quoted, quoteOf, sentenceAround } from './quote-in.ts'
import { inOneLine } from './quoted.ts'
import { liftsInstructions } from './speaks-to-reader.ts'
import { maxInstructions } from './standing-task.ts'

/** The instructions of an answer that may be stored, and the number of refused ones. */
export interface CheckedInstructions {
  readonly asked: StatedInstruction[]
  readonly refused: number
}

/** The most characters of a quote that is looked at: its blanks are joined before it is measured. */
const mostQuoted = 4 * longestInstruction

const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*\[?\d{1,9}\]?\s*$/)
    .transform((text) => Number(text.replaceAll(/[[\]\s]/g, ''))),
])

/** The schema of an answered instruction. Small models write numbers as text, and a list in place of one number. */
const answered = z.object({
  from: z
    .union([z.array(z.unknown()), number.transform((alone) => [alone])])
    .transform((list) => list.slice(0, maxInstructions).flatMap((each) => number.safeParse(each).data ?? [])),
  quote: z.string(),
  withdraws: z
    .unknown()
    .optional()
    .transform((given) => given === true || given === 'true'),
})

/**
 * Checks the list of instructions in a model's answer, each by itself. A kept one cites a message of a person, and its
 * words stand there.
 */
export function checkStanding(part: unknown, messages: readonly SourceMessage[]): CheckedInstructions | { readonly problem: Problem } {
  if (!Array.isArray(part)) return { problem: problems.missing }
  const read = part.slice(0, maxInstructions).map((item) => answered.safeParse(item).data)
  if (read.length > 0 && read.every((item) => item === undefined)) return { problem: problems.instructions }
  const asked: StatedInstruction[] = []
  const seen = new Set<string>()
  for (const item of read) {
    const found = item === undefined ? undefined : statedIn(item, messages)
    if (found === undefined || seen.has(`${found.message} ${folded(found.text)}`)) continue
    seen.add(`${found.message} ${folded(found.text)}`)
    asked.push(found)
  }
  return { asked, refused: part.length - asked.length }
}

function statedIn(
  { from, quote, withdraws }: z.output<typeof answered>,
  messages: readonly SourceMessage[],
): StatedInstruction | undefined {
  if (quote.length > mostQuoted) return undefined
  for (const [place, message] of messages.entries()) {
    if (!from.includes(message.seq) || message.origin !== 'person' || message.role !== 'user') continue
    const quoted = quoteOf(quote, message)
    if (quoted === undefined || !isSound(quoted) || isForOnce(quoted, message.text)) continue
    const words = inOneLine(quoted.words)
    return { text: words, message: place, begins: quoted.from, ends: quoted.to, isWithdrawal: withdraws }
  }
  return undefined
}

/** Tells whether quoted words may be kept. A mark in the place of a secret is nobody's word. */
function isSound({ words }: Quoted): boolean {
  const line = inOneLine(words)
  return (
    line.length <= longestInstruction && wordsIn(line) >= 2 && !hidesSomething(words) && !line.includes('[redacted:') && !isMarkup(line)
  )
}

/** Words of a wish for one time, of a saying to somebody else, and of a wish that lasts. */
const once = anyWord('this (?:one |single )?(?:once|time|answer|reply|response|message)', 'just once', 'only once', 'for now')
const reported = anyWord(
  String.raw`(?:told|tells?|asked|asks|(?:said|says) to) (?!you|the assistant)\p{L}+(?= to|:|,)`,
  '(?:he|she|they) (?:said|says|told|asked)',
)
const lasting = anyWord(
  ...['always', 'never', 'from now on', 'every', 'each', 'any ?more', 'stop', 'whenever', 'in (?:the )?future', 'going forward'],
  ...['by default', 'immer', 'nie', 'toujours', 'jamais', 'siempre', 'nunca'],
)

/** Tells whether words were meant for one answer, told of others, or a mere question. */
function isForOnce(quoted: Quoted, text: string): boolean {
  const sentence = sentenceAround(quoted, text)
  return once.test(sentence) || reported.test(sentence) || (isQuestion(quoted, text) && !lasting.test(sentence))
}

/** Tells whether an instruction would lift the rules of its reader, as no user's wish does. */
export function isAttack({ text, isWithdrawal }: StatedInstruction): boolean {
  return !isWithdrawal && liftsInstructions(text)
}

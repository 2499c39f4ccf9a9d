import { InvalidOption } from '../errors/invalid-option.ts'
import { shown } from '../errors/shown.ts'
import type { ListRequest } from '../storage/listed.ts'

/** The most instructions that stand in a partition. Beyond it the oldest read from messages are not shown. */
export const mostStanding = 200

/** The most ended instructions of agents that a partition keeps: the newest. */
export const mostNotedEnds = 100

/** The longest instruction, in UTF-16 code units. */
export const longestInstruction = 300

/** The longest text that is put in one line: a pattern runs out of stack on millions of blanks. */
const longestReceived = 100 * longestInstruction

/** A checked request; serialisable. */
export interface InstructionRequest extends ListRequest {
  readonly ended: boolean
}

/** Characters that a terminal or a reader obeys and nobody sees: control characters, and changes of direction. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** Checks the text of an instruction, and puts it in one line. InvalidOption when it is blank, too long or has unseen characters. */
export function instructionText(received: unknown): string {
  if (typeof received === 'string' && received.length <= longestReceived && received.isWellFormed()) {
    const line = received.replace(/\s+/g, ' ').trim()
    if (line !== '' && !unseen.test(line) && line.length <= longestInstruction) return line
  }
  throw new InvalidOption({
    option: 'text',
    received: shown(received),
    expected: `text of 1 to ${longestInstruction} characters, not blank and without invisible characters`,
  })
}

import { InvalidOption } from '../errors/invalid-option.ts'
import { shown } from '../errors/shown.ts'
import type { ListRequest } from '../storage/listed.ts'

/** The most facts of a list, over all of its pages. A page is found by counting, so the last one costs as much as all. */
export const mostFactsTold = 10_000

/** A checked request; serialisable. */
export interface FactRequest extends ListRequest {
  readonly subject: string | undefined
  readonly predicate: string | undefined
  readonly object: string | undefined
  readonly validAt: number
  readonly asOf: number
}

/** The longest subject, predicate and object, in UTF-16 code units. */
export const longest = { subject: 200, predicate: 100, object: 2_000 } as const

/** A text may be so many times as long as its part before its blanks are joined. A pattern runs out of stack on millions of blanks. */
const longestReceived = 100

/** Characters that a terminal or a reader obeys and nobody sees: control characters, and changes of direction. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/**
 * Checks a subject, predicate or object, and puts it in one line. InvalidOption when it is blank, too long or has
 * unseen characters.
 */
export function words(part: keyof typeof longest, received: unknown, option: string = part): string {
  if (typeof received === 'string' && received.length <= longestReceived * longest[part] && received.isWellFormed()) {
    const line = received.replace(/\s+/g, ' ').trim()
    if (line !== '' && !unseen.test(line) && line.length <= longest[part]) return line
  }
  throw new InvalidOption({
    option,
    received: shown(received),
    expected: `text of 1 to ${longest[part]} characters, not blank and without invisible characters`,
  })
}

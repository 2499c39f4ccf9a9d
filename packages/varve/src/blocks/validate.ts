import { InvalidOption } from '../errors/invalid-option.ts'
import { checkText } from '../messages/validate.ts'
import { reasonToRefuse, shown } from '../scope/name.ts'
import { blockChars } from './block.ts'

/** The longest text that is looked at, in bytes of UTF-8: what the longest block may take. */
const maxTextBytes = 3 * blockChars.most
const maxSeparatorBytes = 1_024

/** A block's name exactly as it was given; names obey the rule of users' and sessions' (scope/name.ts). */
export function blockName(received: unknown, option = 'name'): string {
  const reason = reasonToRefuse(received)
  if (reason !== undefined || typeof received !== 'string')
    throw new InvalidOption({ option, received: shown(received), expected: `a name, and it ${reason}` })
  // It stands at the head of its text: a line of its own, as it is.
  if (/[\p{Cc}\u2028\u2029]/u.test(received) || received !== received.trim())
    throw new InvalidOption({ option, received: shown(received), expected: 'a name in one line, without blanks around it' })
  return received
}

/** A block's text exactly as it was given. One without words is no block: deleting says what is meant. */
export function blockText(received: unknown): string {
  const refuse = (field: string, reason: string): never => {
    throw new InvalidOption({ option: field, received: shown(received), expected: `text, but it ${reason}` })
  }
  if (typeof received === 'string' && received.trim() === '')
    throw new InvalidOption({ option: 'text', received: shown(received), expected: 'words: a block that is to say nothing is deleted' })
  checkText('text', received, maxTextBytes, refuse)
  return received
}

/** What stands between a block's text and what is appended to it; it may be empty. */
export function blockSeparator(received: unknown): string {
  if (received === '') return ''
  checkText('separator', received, maxSeparatorBytes, (option, reason) => {
    throw new InvalidOption({ option, received: shown(received), expected: `text, but it ${reason}` })
  })
  return received
}

import { InvalidOption } from '../errors/invalid-option.ts'
import { checkText } from '../messages/validate.ts'
import { shown } from '../errors/shown.ts'
import { reasonToRefuse } from '../scope/name.ts'
import { blockChars } from './block.ts'

/** The longest text that is checked, in bytes of UTF-8: the size of the longest block. */
const maxTextBytes = 3 * blockChars.most
const maxSeparatorBytes = 1_024

/** Checks a block's name and gives it unchanged. Names obey the rule of users' and sessions' (scope/name.ts). */
export function blockName(received: unknown, option = 'name'): string {
  const reason = reasonToRefuse(received)
  if (reason !== undefined || typeof received !== 'string')
    throw new InvalidOption({ option, received: shown(received), expected: `a name, and it ${reason}` })
  // The name stands at the head of its text, unchanged on a line of its own.
  if (/[\p{Cc}\u2028\u2029]/u.test(received) || received !== received.trim())
    throw new InvalidOption({ option, received: shown(received), expected: 'a name in one line, without blanks around it' })
  return received
}

/** Checks a block's text and gives it unchanged. Refuses a blank text: such a block should be deleted. */
export function blockText(received: unknown): string {
  const refuse = (field: string, reason: string): never => {
    throw new InvalidOption({ option: field, received: shown(received), expected: `text, but it ${reason}` })
  }
  if (typeof received === 'string' && received.trim() === '')
    throw new InvalidOption({
      option: 'text',
      received: shown(received),
      expected: 'words; a block without words should be deleted instead',
    })
  checkText('text', received, maxTextBytes, refuse)
  return received
}

/** Checks the separator between a block's text and an appended one. It may be empty. */
export function blockSeparator(received: unknown): string {
  if (received === '') return ''
  checkText('separator', received, maxSeparatorBytes, (option, reason) => {
    throw new InvalidOption({ option, received: shown(received), expected: `text, but it ${reason}` })
  })
  return received
}

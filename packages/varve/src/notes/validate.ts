import { InvalidOption } from '../errors/invalid-option.ts'
import { checkText } from '../messages/validate.ts'
import { shown } from '../scope/name.ts'
import { maxNotesChars } from './bounds.ts'

/** The longest text that is looked at, in bytes of UTF-8. */
const maxTextBytes = 3 * maxNotesChars

/** A page exactly as it was given. One that is to say nothing is deleted. */
export function notesText(received: unknown): string {
  if (typeof received === 'string' && received.trim() === '')
    throw new InvalidOption({ option: 'content', received: shown(received), expected: 'words: notes that are to say nothing are deleted' })
  checkText('content', received, maxTextBytes, (option, reason) => {
    throw new InvalidOption({ option, received: shown(received), expected: `text, but it ${reason}` })
  })
  return received
}

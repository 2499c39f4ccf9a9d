import { InvalidOption } from '../errors/invalid-option.ts'
import { checkText } from '../messages/validate.ts'
import { shown } from '../errors/shown.ts'
import { maxNotesChars } from './bounds.ts'

/** The longest text that is checked, in bytes of UTF-8. */
const maxTextBytes = 3 * maxNotesChars

/** Checks a page and gives it unchanged. Refuses a blank page: such notes should be deleted. */
export function notesText(received: unknown): string {
  if (typeof received === 'string' && received.trim() === '')
    throw new InvalidOption({
      option: 'content',
      received: shown(received),
      expected: 'words; notes without words should be deleted instead',
    })
  checkText('content', received, maxTextBytes, (option, reason) => {
    throw new InvalidOption({ option, received: shown(received), expected: `text, but it ${reason}` })
  })
  return received
}

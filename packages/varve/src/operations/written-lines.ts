import { checkText } from '../messages/validate.ts'
import { refused } from './fields.ts'

/** The longest text that a person may write for a gist or an entry, in bytes of UTF-8. */
const maxWrittenBytes = 16_384

/** Splits a person's text into lines, without bullets and without blanks at their ends. InvalidOption for a text without words. */
export function writtenLines(option: string, received: unknown): string[] {
  checkText(option, received, maxWrittenBytes, (field, reason) => {
    throw refused(field, received, `text, but it ${reason}`)
  })
  const lines = String(received)
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .map((line) => line.replace(/^\s*[-*•]\s+/, '').trim())
    .filter((line) => line !== '')
  if (lines.length === 0) throw refused(option, received, 'words')
  return lines
}

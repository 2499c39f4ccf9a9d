import { hash } from 'node:crypto'

/** Names that Windows keeps for devices, with any ending. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i

/** The most characters of a name that a file's name shows. */
const shownChars = 40
const hashChars = 12

/**
 * Makes a file's name of somebody's text, safe on every system: letters and digits of any script, and hyphens. A hash of
 * the whole text tells names apart that look alike, also where case or a form of Unicode does not count.
 */
export function fileName(text: string): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .toLowerCase()
  const shown = [...plain]
    .slice(0, shownChars)
    .join('')
    .replaceAll(/^-+|-+$/g, '')
  const named = devices.test(shown) ? `_${shown}` : shown
  return `${named === '' ? 'unnamed' : named}-${hash('sha256', text.toWellFormed(), 'hex').slice(0, hashChars)}.md`
}

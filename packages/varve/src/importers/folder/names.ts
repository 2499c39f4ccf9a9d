import { maxNameBytes, reasonToRefuse } from '../../scope/name.ts'
import type { Tally } from '../reasons.ts'
import { hash, splitText } from '../text.ts'

/** Room for the number of a further piece. */
const endBytes = 16
const hashChars = 8

/**
 * The names of documents for the notes of a folder: the path without its ending. Documents are told apart without regard
 * to case and punctuation, so two paths may be one name: the later one gets a mark that is always the same for it.
 */
export class NoteNames {
  readonly #tally: Tally
  readonly #known = new Set<string>()

  constructor(tally: Tally) {
    this.#tally = tally
  }

  of(path: string): string {
    const plain = path.replace(/\.(?:md|markdown)$/iu, '')
    const line = plain
      .toWellFormed()
      .replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ')
      .trim()
    const fits = line === plain && isName(line) && Buffer.byteLength(line) <= maxNameBytes - endBytes && !this.#known.has(keyOf(line))
    const name = fits ? line : this.#marked(line, path)
    this.#known.add(keyOf(name))
    return name
  }

  /** Names a further piece of a long note. */
  piece(name: string, number: number): string {
    return `${name} (${number})`
  }

  #marked(line: string, path: string): string {
    this.#tally.repair('name changed')
    const [short = ''] = splitText(line, maxNameBytes - endBytes - hashChars - 3)
    return `${isName(short) ? short.trim() : 'note'} (${hash(path).slice(0, hashChars)})`
  }
}

function isName(line: string): boolean {
  return reasonToRefuse(line) === undefined && /[\p{L}\p{N}]/u.test(line)
}

/** Stricter than the store's own rule: what is one name there is one name here. */
function keyOf(name: string): string {
  const key = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  return key
    .trim()
    .replace(/^(?:(?:the|an?|my|our) )+/u, '')
    .replaceAll(' ', '')
}

import { codeLines, isCodeLine } from './code-lines.ts'

/** The parts of a message that are read, in UTF-16 code units: its beginning and its end, where the important sentences are. */
const headLength = 12_000
const tailLength = 4_000

/** A longer run without a blank is no word: base64, a hash, a minified line. */
const longestRun = 48

const table = /^\s*\||\|.*\|.*\||^[\s|:+=*_-]{3,}$/u
const stackTrace = /^\s*at\s.+[:(]\d+|^\s*File ".+", line \d+|^Traceback \(|^\s*\.{3} \d+ more|^\s*Caused by:|^\s*at [\w$.]+\(/u
const address = /\]\([^)\s]{0,2000}\)|https?:\/\/\S+/gu
const codeMarks = /[{}()[\];=<>$\\|&@]/gu
const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>+)\s+/u
/** A line of a list, of a heading, or of what belongs to a list's item. Assistants write labels in bold. */
const listed = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|#{1,6}\s|\*\*)|^\s{2,}\S/u
const sentenceEnd = /[.!?…:;。！？؟।]["'”’)]*$/u

/**
 * Returns the prose of a message: one line for each paragraph and list item. Code, tables, stack traces, blobs, markup
 * and pictographs are left out, with `lists: 'left out'` lists and headings too. Of an address the host stays, and no `<`
 * could be read as a tag.
 */
export function proseOf(text: string, lists: 'kept' | 'left out' = 'kept'): string[] {
  const read = text.length <= headLength + tailLength ? text : `${text.slice(0, headLength)}\n\n${text.slice(-tailLength)}`
  const blocks = paragraphs(proseLines(read.toWellFormed(), lists)).map(plainLine)
  return blocks.filter((block) => /[\p{L}\p{N}]/u.test(block))
}

/** Returns one line of plain text, made of a text that may hold anything, such as a name. */
export function plainLine(text: string): string {
  return (
    text
      .replace(/!\[[^\]]{0,200}\]\([^)\s]{0,2000}\)/gu, ' ')
      .replace(/\[([^\]]{1,200})\]\([^)\s]{0,2000}\)/gu, '$1')
      .replace(/\b(?:https?|ftp):\/\/(?:www\.)?([^\s/?#<>"')\]]{1,100})[^\s<>"')\]]*/gu, (_address, host: string) =>
        host.replace(/[.,;:!]+$/u, ''),
      )
      .replace(/\bdata:[\w/+.-]{1,60};base64,\S+/gu, ' ')
      .replace(/<\/?[a-z][^<>]{0,200}>/giu, ' ')
      .replaceAll('<', '‹')
      .replaceAll('>', '›')
      // Marks within a word, as in snake__case, belong to the word.
      .replace(/(?<![\p{L}\p{N}])(?:\*\*|__|`)|(?:\*\*|__|`)(?![\p{L}\p{N}])/gu, '')
      .replace(/(?<![\p{L}\p{N}*_])[*_](?=\p{L})|(?<=\p{L})[*_](?![\p{L}\p{N}*_])/gu, '')
      .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Cf}|\p{Cc}|\u{FE0F}|\u{20E3}|[\u2028\u2029]/gu, (mark) =>
        mark === '\u200d' || mark === '\u200c' ? mark : ' ',
      )
      .replace(/\S{49,}/gu, (run) => (isBlob(run) ? ' … ' : run))
      .replace(/\s+/gu, ' ')
      .trim()
  )
}

function isBlob(run: string): boolean {
  return run.length > longestRun && /^[\x21-\x7e]+$/u.test(run)
}

/** Returns the lines that are prose. An empty line stands where one was left out, so that its neighbours are not joined. */
function proseLines(text: string, lists: 'kept' | 'left out'): string[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u)
  const isCode = codeLines(lines)
  return lines.map((line, at) => (isCode[at] === true || isNoProse(line) || (lists === 'left out' && listed.test(line)) ? '' : line))
}

function isNoProse(line: string): boolean {
  if (table.test(line) || stackTrace.test(line) || isCodeLine(line)) return true
  const marks = line.replace(address, '').match(codeMarks)?.length ?? 0
  return marks > 3 && marks > line.length / 12
}

/** Joins wrapped lines. List items, headings and lines that end a sentence stand by themselves. */
function paragraphs(lines: readonly string[]): string[] {
  const found: string[] = []
  let open = false
  for (const line of lines) {
    const startsItem = listMark.test(line)
    const text = line.replace(listMark, '').trim()
    if (text === '') {
      open = false
      continue
    }
    const last = found.at(-1)
    if (open && !startsItem && last !== undefined && !sentenceEnd.test(last)) found[found.length - 1] = `${last} ${text}`
    else found.push(text)
    open = !/^\s*#{1,6}\s/u.test(line)
  }
  return found
}

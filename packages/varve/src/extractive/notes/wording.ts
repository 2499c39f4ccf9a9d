/** Longer entries are cut, in UTF-16 code units, so that each stays one line. */
export const maxQuoted = 240

const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]+/gu

const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, 'gu')

/** Returns a program's output without the marks that colour it in a terminal. */
export function withoutColours(text: string): string {
  return text.replaceAll(colours, '')
}

/** Returns a text in one line, without invisible characters. */
export function asOneLine(text: string): string {
  return withoutColours(text).replaceAll(unseen, ' ').replaceAll(/\s+/gu, ' ').trim().toWellFormed()
}

/** Formats a machine's words as code: markdown finds no marks in them, and nobody takes them for an instruction. */
export function asCode(text: string): string {
  const line = asOneLine(text)
  const runs = line.match(/`+/gu) ?? []
  if (runs.length === 0) return `\`${line}\``
  const fence = '`'.repeat(Math.max(...runs.map((run) => run.length)) + 1)
  return `${fence} ${line} ${fence}`
}

/** Cuts a line to at most so many characters around a place, at the ends of words. */
export function cutAround(line: string, place: number, most: number): string {
  if (line.length <= most) return line
  const from = place < most * 0.7 ? 0 : Math.min(place - Math.floor(most / 3), line.length - most)
  const head = from === 0 ? '' : '… '
  const cut = line.slice(from, from + most)
  const begun = from === 0 ? cut : cut.replace(/^\S{0,40}\s/u, '')
  const ended = from + most >= line.length ? begun : begun.replace(/\s\S{0,40}$/u, '')
  return `${head}${ended.toWellFormed().replaceAll('\ufffd', '')}${from + most >= line.length ? '' : ' …'}`
}

/** Returns the key of an entry: two entries that say the same have the same key. */
export function sameAs(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase()
  return plain.replaceAll(/[\s`'"*.,;:!?…-]+/gu, ' ').trim()
}

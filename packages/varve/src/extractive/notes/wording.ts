/** Longer entries are cut, in UTF-16 code units: what is written of one step or sentence stays a line. */
export const maxQuoted = 240

const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]+/gu

const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, 'gu')

/** What a program prints, without the marks that colour it in a terminal. */
export function withoutColours(text: string): string {
  return text.replaceAll(colours, '')
}

/** A text in one line without what is not seen. */
export function inOneLine(text: string): string {
  return withoutColours(text).replaceAll(unseen, ' ').replaceAll(/\s+/gu, ' ').trim().toWellFormed()
}

/** What a machine said or was told, as code: markdown finds nothing in it, and nobody takes it for an instruction. */
export function asCode(text: string): string {
  const line = inOneLine(text)
  const runs = line.match(/`+/gu) ?? []
  if (runs.length === 0) return `\`${line}\``
  const fence = '`'.repeat(Math.max(...runs.map((run) => run.length)) + 1)
  return `${fence} ${line} ${fence}`
}

/** At most so many characters of a line, around a place that has to be in it, at the ends of words. */
export function around(line: string, place: number, most: number): string {
  if (line.length <= most) return line
  const from = place < most * 0.7 ? 0 : Math.min(place - Math.floor(most / 3), line.length - most)
  const head = from === 0 ? '' : '… '
  const cut = line.slice(from, from + most)
  const begun = from === 0 ? cut : cut.replace(/^\S{0,40}\s/u, '')
  const ended = from + most >= line.length ? begun : begun.replace(/\s\S{0,40}$/u, '')
  return `${head}${ended.toWellFormed().replaceAll('\ufffd', '')}${from + most >= line.length ? '' : ' …'}`
}

/** What two entries that say the same have in common. */
export function sameAs(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s`'"*.,;:!?…-]+/gu, ' ')
    .trim()
}

import { type SpokenWords, spokenAs, spokenBy } from '../../messages/spoken-as.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmless, harmlessLine, minute, paint, paragraph } from '../terminal.ts'

export type RecalledHit = Awaited<ReturnType<UserMemory['recall']>>['hits'][number]

const indent = '   '
const mostLines = 8

/** Shows a hit: rank, score, time, speaker and place; then its text; then, in words, why it was found. */
export function hitLines(hit: RecalledHit, rank: number, { width, ids }: { width: number | undefined; ids: boolean }): string[] {
  const { who, where, title } = placeOf(hit)
  const head =
    `${`${rank}.`.padEnd(indent.length - 1)} ${paint('yellow', hit.score.toFixed(3))}  ${minute(hit.at)}  ` +
    `${paint('bold', harmlessLine(who))}  ${paint('cyan', harmlessLine(where))}`
  const why = hit.signals.map(({ value, text }) => `${value.toFixed(3)} ${text}`).join(' + ')
  return [
    title === undefined ? head : `${head}  ${harmlessLine(title)}`,
    ...textLines(hit, width),
    ...endedLines(hit, width),
    ...neighbourLines(hit, width),
    ...(why === '' ? [] : paragraph(`= ${harmless(why)}`, { indent, width }).map(dim)),
    ...(ids ? [dim(`${indent}id ${hit.id}${writerOf(hit)}`)] : []),
  ]
}

/** Names the writer of a derived text; empty for a message. */
function writerOf(hit: RecalledHit): string {
  if (hit.kind === 'message') return ''
  return writtenBy(hit.kind === 'fact' ? { writer: hit.fact.writer, provisional: false } : hit)
}

/** Gives the speaker or the kind of the text, and its place. */
function placeOf(hit: RecalledHit): { who: string; where: string; title: string | undefined } {
  if (hit.kind === 'message')
    return hit.members === undefined
      ? { who: spokenBy(hit), where: `${hit.session} #${hit.seq}`, title: undefined }
      : { who: memberOf(hit, hit.members.join(', ')), where: 'shared', title: undefined }
  if (hit.kind === 'fact') return { who: 'fact', where: hit.session ?? 'added by hand', title: undefined }
  if (hit.kind === 'block') return { who: hit.shared === true ? 'shared block' : 'block', where: hit.name, title: hit.session }
  if (hit.kind === 'document') return { who: hit.shared === true ? 'shared document' : 'document', where: hit.name, title: undefined }
  if (hit.kind === 'notes') return { who: 'notes', where: hit.session ?? '', title: hit.name === hit.session ? undefined : hit.name }
  if (hit.kind === 'bank')
    return {
      who: `${hit.shared === true ? 'shared bank' : 'bank'}, ${hit.granularity ?? 'entry'}`,
      where: hit.period ?? '',
      title: hit.name,
    }
  return { who: hit.kind, where: hit.session ?? '', title: hit.name }
}

/** Names the member whose message was found, and the name that its speaker was given. */
function memberOf(message: SpokenWords, member: string): string {
  const { name } = message
  const role = spokenAs(message)
  if (role !== 'user') return `the ${role} of ${member}`
  return name === undefined || name.toLowerCase() === member.toLowerCase() ? member : `${member}, as '${name}'`
}

/** Shows the text of a hit. An entry of a bank has a line for each bullet. */
function textLines(hit: RecalledHit, width: number | undefined): string[] {
  if (hit.kind !== 'bank') return paragraph(harmless(hit.text), { indent, width, mostLines })
  return hit.text.split('\n').flatMap((bullet) => bulletLines(bullet, { indent, width }))
}

/** Shows a bullet, wrapped under itself. */
export function bulletLines(bullet: string, { indent, width }: { indent: string; width: number | undefined }): string[] {
  const hanging = `${indent}  `
  return paragraph(harmless(bullet), { indent: hanging, width }).map((line, place) =>
    place === 0 ? `${indent}- ${line.slice(hanging.length)}` : line,
  )
}

/** Names the writer, for the end of a line. */
export function writtenBy({ writer, provisional }: { readonly writer: string; readonly provisional: boolean }): string {
  return `, by ${harmlessLine(writer)}${provisional ? ' (provisional)' : ''}`
}

/** Says of a text that tells an ended state when that ended, and what holds now. */
function endedLines({ superseded }: RecalledHit, width: number | undefined): string[] {
  if (superseded === undefined) return []
  const { others = [], ...first } = superseded
  return [first, ...others].flatMap(({ on, now, wrong }) => {
    const end = `${wrong === true ? 'taken back on' : 'until'} ${minute(on)}${now === undefined ? '' : `; now ${harmless(now)}`}`
    return paragraph(end, { indent, width, mostLines: 2 }).map((line) => paint('yellow', line))
  })
}

function neighbourLines(hit: RecalledHit, width: number | undefined): string[] {
  if (hit.kind !== 'message') return []
  return hit.neighbours.flatMap((message) => {
    const distance = Math.abs(message.seq - hit.seq)
    const where = `${counted(distance, 'message')} ${message.seq < hit.seq ? 'before' : 'after'}`
    return paragraph(`| ${where}, ${harmlessLine(spokenBy(message))}: ${harmless(message.content)}`, { indent, width, mostLines: 3 }).map(
      dim,
    )
  })
}

function dim(line: string): string {
  return paint('dim', line)
}

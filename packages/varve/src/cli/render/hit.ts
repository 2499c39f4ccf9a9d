import type { UserMemory } from '../../user-memory.ts'
import { counted, harmless, minute, paint, paragraph } from '../terminal.ts'

export type Hit = Awaited<ReturnType<UserMemory['recall']>>['hits'][number]

const indent = '   '
const mostLines = 8

/** A hit for people: rank, score, when, who, where; what was said; and why it was found, in words. */
export function hitLines(hit: Hit, rank: number, { width, ids }: { width: number | undefined; ids: boolean }): string[] {
  const who = harmless(hit.name ?? hit.role)
  const where = harmless(`${hit.session} #${hit.seq}`)
  const head = `${`${rank}.`.padEnd(indent.length)}${paint('yellow', hit.score.toFixed(3))}  ${minute(hit.at)}  ${paint('bold', who)}  ${paint('cyan', where)}`
  const why = hit.signals.map(({ value, text }) => `${value.toFixed(3)} ${text}`).join(' + ')
  return [
    head,
    ...paragraph(harmless(hit.text), { indent, width, mostLines }),
    ...neighbourLines(hit, width),
    ...paragraph(`= ${harmless(why)}`, { indent, width }).map(dim),
    ...(ids ? [dim(`${indent}id ${hit.id}`)] : []),
  ]
}

function neighbourLines({ neighbours, seq }: Hit, width: number | undefined): string[] {
  return neighbours.flatMap((message) => {
    const distance = Math.abs(message.seq - seq)
    const where = `${counted(distance, 'message')} ${message.seq < seq ? 'before' : 'after'}`
    return paragraph(`| ${where}, ${harmless(message.name ?? message.role)}: ${harmless(message.content)}`, { indent, width, mostLines: 3 }).map(dim)
  })
}

function dim(line: string): string {
  return paint('dim', line)
}

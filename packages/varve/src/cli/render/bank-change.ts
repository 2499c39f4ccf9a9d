import type { BankHandle } from '../bank-entry.ts'
import { counted, harmlessLine, minute, paint } from '../terminal.ts'
import { bulletLines } from './hit.ts'

export type ListedChange = Awaited<ReturnType<BankHandle['history']>>[number]

const indent = '   '

const done = { pin: 'pinned', unpin: 'unpinned', correct: 'corrected', delete: 'deleted', clear: 'cleared' } as const

/** Shows a change of a bank by hand: who made it and when, its id, and the entries as they were before. */
export function changeLines(change: ListedChange, width: number | undefined): string[] {
  const { id, act, entry, by, at, before, entries } = change
  const more = entries - before.length
  return [
    `${minute(at)}  ${paint('bold', done[act])} by ${harmlessLine(by)}${entry === undefined ? '' : `, entry ${entry}`}`,
    ...before.flatMap(({ granularity, period, bullets }) => [
      `${indent}${granularity} ${period}`,
      ...bullets.flatMap((bullet) => bulletLines(bullet, { indent, width })),
    ]),
    ...(more > 0 ? [`${indent}and ${counted(more, 'more entry', 'more entries')}`] : []),
    paint('dim', `${indent}id ${id}, ${stateOf(change)}`),
  ]
}

function stateOf({ undoneAt, restorable, until }: ListedChange): string {
  if (undoneAt !== undefined) return `taken back ${minute(undoneAt)}`
  return restorable ? `can be restored until ${minute(until)}` : 'cannot be restored any more'
}

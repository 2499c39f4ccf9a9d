import type { BankHandle, ListedBankEntry } from '../bank-entry.ts'
import { counted, harmlessLine, minute, paint } from '../terminal.ts'
import { bulletLines, writtenBy } from './hit.ts'

type Stats = Awaited<ReturnType<BankHandle['stats']>>

const indent = '   '

/** Shows an entry: its period, its bullets, its id, and its writer. */
export function entryLines(entry: ListedBankEntry, width: number | undefined): string[] {
  const { granularity, period, name, session, pinned, corrected, bullets, conversations, messages, members } = entry
  const marks = [
    ...(members === undefined ? [] : [`of ${members.map(harmlessLine).join(', ')}`]),
    ...(pinned ? ['pinned'] : []),
    ...(corrected ? ['corrected'] : []),
  ]
  const of =
    granularity === 'conversation'
      ? counted(messages, 'message')
      : `${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`
  const where = session === undefined ? '' : `  ${paint('cyan', harmlessLine(session))}`
  return [
    `${paint('bold', `${granularity} ${period}`)}${where}${
      name === undefined
        ? ''
        : `  \
${harmlessLine(name)}`
    }${marks.length === 0 ? '' : `  [${marks.join(', ')}]`}`,
    ...bullets.flatMap((bullet) => bulletLines(bullet, { indent, width })),
    paint('dim', `${indent}id ${entry.id}, of ${of}, written ${minute(entry.writtenAt)}${writtenBy(entry)}`),
  ]
}

/** Counts the entries of each rung that has some: `18 conversations, 2 weeks`. */
export function rungs(entries: Stats['entries']): string {
  const some = Object.entries(entries).filter(([, count]) => count > 0)
  return some.length === 0 ? 'no entries' : some.map(([granularity, count]) => counted(count, granularity)).join(', ')
}

export function statsLines({ entries, tokens, maxTokens, omitted, pinned, provisional }: Stats): string[] {
  const left = omitted === 0 ? '' : `; ${counted(omitted, 'older conversation')} left out`
  return [
    `${rungs(entries)}.`,
    `Rendered: ${tokens.toLocaleString('en')} of at most ${maxTokens.toLocaleString('en')} tokens${left}.`,
    `${pinned} pinned, ${provisional} provisional.`,
  ]
}

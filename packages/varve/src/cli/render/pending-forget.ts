import type { UserMemory } from '../../memory/user-memory.ts'
import { harmless, harmlessLine, minute, paint, paragraph } from '../terminal.ts'

type Pending = Awaited<ReturnType<UserMemory['pendingForget']['list']>>[number]

const indent = '   '

/** Shows a request to forget: its topic, its words, the number of messages and facts, and its id. */
export function pendingForgetLines({ id, at, session, text, topic, messages, facts }: Pending, width: number | undefined): string[] {
  const counts = `${messages.length} message${messages.length === 1 ? '' : 's'}, ${facts.length} fact${facts.length === 1 ? '' : 's'}`
  return [
    ...paragraph(harmlessLine(topic), { indent: '', width }),
    ...paragraph(`"${harmless(text)}" = ${harmlessLine(session)}, ${minute(at)}; ${counts}`, { indent, width }).map((line) =>
      paint('dim', line),
    ),
    paint('dim', `${indent}id ${id}`),
  ]
}

import type { UserMemory } from '../../memory/user-memory.ts'
import { harmlessLine, minute, paint } from '../terminal.ts'

export type ListedSession = Awaited<ReturnType<UserMemory['sessions']['get']>>

/** Shows a line a session: its last talk, its messages, its name, and the layers that it switches by itself. */
export function sessionLines(sessions: readonly ListedSession[]): string[] {
  const width = Math.max(0, ...sessions.map(({ messages }) => String(messages).length))
  return sessions.map(({ id, name, messages, lastAt, layers }) => {
    const when = lastAt === undefined ? 'no messages'.padEnd(16) : minute(lastAt)
    return (
      `${when}  ${String(messages).padStart(width)} ${messages === 1 ? 'message ' : 'messages'}  ` +
      `${paint('cyan', harmlessLine(id))}${name === undefined ? '' : `  ${harmlessLine(name)}`}${switchedOf(layers)}`
    )
  })
}

/** Shows the layers that a session switches by itself: `  [notes on, facts off]`. */
function switchedOf(layers: ListedSession['layers'] = {}): string {
  const set = Object.entries(layers)
    .filter(([, on]) => on !== null)
    .map(([layer, on]) => `${layer} ${on ? 'on' : 'off'}`)
  return set.length === 0 ? '' : `  [${set.join(', ')}]`
}

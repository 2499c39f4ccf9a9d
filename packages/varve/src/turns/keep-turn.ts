import { VarveError } from '../errors/varve-error.ts'
import type { AppendInput } from '../messages/message.ts'
import { inTime } from './in-time.ts'
import type { TurnMemory } from './turn-memory.ts'

/** The longest wait until a turn's messages are stored. */
const longestKeepingMs = 10_000

/** What to store of a turn, and where. */
export interface KeptTurn {
  readonly session: string
  readonly messages: readonly AppendInput[]
  /** Default 10,000. */
  readonly deadlineMs?: number
}

/** Takes the failures of memory in a host's turns: in codes and words that hold no content. */
export type TurnFailed = (doing: 'context' | 'append', reason: string) => void

/** Prints each reason once, as a warning of the process. */
export function warnsOnce(door: string): TurnFailed {
  const told = new Set<string>()
  return (doing, reason) => {
    const warning = `${door}: ${doing} failed, and the turn went on without it: ${reason}`
    if (told.has(warning)) return
    told.add(warning)
    process.emitWarning(warning, 'VarveWarning')
  }
}

/** Stores a turn's messages. Never rejects: false when they are not stored, after `failed` was told. */
export async function keepTurn(
  memory: Pick<TurnMemory, 'append'>,
  { session, messages, deadlineMs = longestKeepingMs }: KeptTurn,
  failed: TurnFailed,
): Promise<boolean> {
  if (messages.length === 0) return true
  try {
    await inTime('append', deadlineMs, () => memory.append(session, messages, { deadlineMs }))
    return true
  } catch (error) {
    failed('append', VarveError.is(error) ? error.code : 'STORE_FAILED')
    return false
  }
}

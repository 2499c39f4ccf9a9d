import { InvalidOption } from '../errors/invalid-option.ts'
import { milliseconds } from '../messages/time.ts'
import { shown } from '../scope/name.ts'
import { sessionName } from '../scope/partition.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'

/** What to forget: any of session, before and messages (together they narrow), or all. */
export interface ForgetInput {
  readonly session?: string
  /** Said strictly before this time: Date, ISO 8601 with offset (or a bare UTC day), or UTC milliseconds. */
  readonly before?: Date | string | number
  /** Ids of messages. */
  readonly messages?: readonly string[]
  /** Everything of this partition: messages, sessions, and its name. */
  readonly all?: boolean
}

const keys: ReadonlySet<string> = new Set(['session', 'before', 'messages', 'all'])
const expected = 'at least one of { session, before, messages }, or { all: true }'

/** Checks a selection. An empty one is refused: "nothing" and "everything" are too far apart to guess. */
export function forgetSelection(received: unknown): ForgetSelection {
  const refuse = (option: string, what: unknown): never => {
    throw new InvalidOption({ option, received: shown(what), expected })
  }
  if (received === null || typeof received !== 'object' || Array.isArray(received)) return refuse('forget', received)
  const unknown = Object.keys(received).find((key) => !keys.has(key))
  if (unknown !== undefined) return refuse(`forget.${unknown}`, received)
  // A key that is present but undefined is a mistake in the caller, and may not widen what is erased.
  for (const [key, value] of Object.entries(received)) if (value === undefined) return refuse(`forget.${key}`, value)
  const { session, before, messages, all }: Readonly<Record<string, unknown>> = { ...received }
  if (all !== undefined) return all === true && Object.keys(received).length === 1 ? { all } : refuse('forget', received)
  if (session === undefined && before === undefined && messages === undefined) return refuse('forget', received)
  const ids = Array.isArray(messages) ? messages.filter((id) => typeof id === 'string') : []
  if (messages !== undefined && (!Array.isArray(messages) || ids.length === 0 || ids.length < messages.length))
    return refuse('forget.messages', messages)
  const time = before === undefined ? undefined : (milliseconds(before) ?? refuse('forget.before', before))
  return {
    ...(session === undefined ? {} : { session: sessionName(session) }),
    ...(time === undefined ? {} : { before: time }),
    ...(messages === undefined ? {} : { messages: ids }),
  }
}

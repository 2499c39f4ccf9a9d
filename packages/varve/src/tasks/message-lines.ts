import { folded } from './folded.ts'
import type { Origin, Role } from '../messages/message.ts'
import type { SourceMessage } from '../models/writer.ts'
import { quoted, quotedName } from './quoted.ts'

/** A longer pause between two messages is told. */
const gapMs = 30 * 60_000

const originOf: Readonly<Record<Role, Origin>> = { user: 'person', assistant: 'assistant', tool: 'tool', system: 'system' }

/**
 * Shows messages in a prompt: `[3] Ada: …`. A line with the day and time stands before the first one and after each gap.
 * A name stands alone for a person. Any other speaker, and a name that passes for a role, has the role beside it.
 *
 * @example messageLines(messages) // ['Fri, 08 May 2026 10:30', '[4] Ada: Hello', '[5] assistant: Good morning']
 */
export function messageLines(messages: readonly SourceMessage[], shown = ({ text }: SourceMessage) => text): string[] {
  return messages.flatMap((message, place) => {
    const line = `[${message.seq}] ${speakerOf(message)}: ${quoted(shown(message))}`
    return isAfterGap(message, messages[place - 1]) ? [timeLine(message.at), line] : [line]
  })
}

function isAfterGap({ at }: SourceMessage, before: SourceMessage | undefined): boolean {
  return (
    before === undefined || Math.abs(at - before.at) > gapMs || timeLine(at).slice(0, dayLength) !== timeLine(before.at).slice(0, dayLength)
  )
}

const dayLength = 'Fri, 08 May 2026'.length

/** Formats a day and time of the data: UTC, to the minute. */
function timeLine(at: number): string {
  return new Date(at).toUTCString().slice(0, dayLength + ' 10:30'.length)
}

function speakerOf({ name, role, origin }: SourceMessage): string {
  const by = origin === originOf[role] ? '' : `by ${origin}`
  const speaker = name === undefined ? '' : quotedName(name)
  if (speaker === '') return by === '' ? role : `${role} (${by})`
  const isPerson = role === 'user' && by === '' && !Object.hasOwn(originOf, folded(speaker))
  return isPerson ? speaker : `${speaker} (${[role, by].filter((part) => part !== '').join(', ')})`
}

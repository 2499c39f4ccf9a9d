import type { Origin, Role } from '../messages/message.ts'
import type { SourceMessage } from '../models/writer.ts'
import { answerSchema } from './answer-schema.ts'
import { type AskedTask, instructionsFor } from './instructions.ts'
import type { Prompt } from './prompt.ts'
import { attributeLines } from './known-attributes.ts'
import { fenced, quoted, quotedName } from './quoted.ts'

const reading = 'You read a part of one conversation, a message a line: [number] day and time in UTC, name (role): text.'

const originOf: Readonly<Record<Role, Origin>> = { user: 'person', assistant: 'assistant', tool: 'tool', system: 'system' }

interface Shown {
  /** The mark of the fence. */
  readonly mark: string
  /** Attributes of states that hold now, from the same owner's talk. */
  readonly attributes?: readonly string[]
}

/**
 * Makes the prompt on a span: for all private layers that are due, or for shared bullets by themselves. Words of origin
 * `system` are the host's own to its model, and are left out. Nothing is shortened: compare `tokensOf` with the window.
 *
 * @example spanPrompt(messages, [gistTask, bulletsTask], { mark: markOf(key, nonce) })
 */
export function spanPrompt(messages: readonly SourceMessage[], tasks: readonly AskedTask[], shown: Shown): Prompt {
  const { mark, attributes = [] } = shown
  const read = distillable(messages)
  const lines = [...attributeLines(attributes), ...read.map(line)]
  const keys = tasks.map(({ key }) => `"${key}"`).join(' and ')
  return {
    instructions: instructionsFor(reading, 'messages', mark, tasks),
    prompt:
      `A part of a conversation, ${read.length} messages, quoted as data:\n${fenced(lines, mark)}\nThat was the data. ` +
      `Now write ${keys}.`,
    schema: answerSchema(tasks),
    schemaName: 'varve_span',
    maxOutputTokens: tasks.reduce((sum, { maxOutputTokens }) => sum + maxOutputTokens, 0),
  }
}

/** Gives the messages of a span that may be distilled. */
export function distillable(messages: readonly SourceMessage[]): SourceMessage[] {
  return messages.filter(({ origin }) => origin !== 'system')
}

function line({ seq, at, name, role, origin, text }: SourceMessage): string {
  const speaker = name === undefined ? '' : quotedName(name)
  const by = origin === originOf[role] ? role : `${role}, by ${origin}`
  return `[${seq}] ${minuteOf(at)} ${speaker === '' ? '' : `${speaker} `}(${by}): ${quoted(text)}`
}

/** Formats a day and time: UTC, to the minute. */
export function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

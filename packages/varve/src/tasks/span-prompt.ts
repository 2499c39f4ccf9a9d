import type { SourceMessage } from '../models/writer.ts'
import { answerSchema } from './answer-schema.ts'
import { type AskedTask, instructionsFor } from './instructions.ts'
import { attributeLines } from './known-attributes.ts'
import { messageLines } from './message-lines.ts'
import type { Prompt } from './prompt.ts'
import { fenced } from './quoted.ts'

const material = {
  reading: 'a conversation: [number] speaker: text.',
  cited: 'messages',
  example: '[7] Ada: I live in Bergen. I sold my boat in May.',
} as const

interface Shown {
  /** The mark of the fence. */
  readonly mark: string
  /** Attributes of states that hold now, from the same owner's talk. */
  readonly attributes?: readonly string[]
  /** The first message of a task that read the ones before already, by its key. */
  readonly freshFrom?: ReadonlyMap<string, number>
}

/**
 * Makes the prompt on a span: for all private layers that are due, or for shared bullets by themselves. Words of origin
 * `system` are the host's own to its model, and are left out. Nothing is shortened: compare `tokensOf` with the window.
 *
 * @example spanPrompt(messages, [gistTask, bulletsTask], { mark: markOf(key, nonce) })
 */
export function spanPrompt(messages: readonly SourceMessage[], tasks: readonly AskedTask[], shown: Shown): Prompt {
  const { mark, attributes = [], freshFrom = new Map<string, number>() } = shown
  const read = distillable(messages)
  const lines = [...attributeLines(attributes), ...messageLines(read)]
  const known = attributes.length === 0 ? '' : ' Where a predicate of the line [known] fits, use its words.'
  const fresh = [...freshFrom].map(([key, from]) => ` Write "${key}" only of what stands from [${from}] on.`).join('')
  return {
    instructions: instructionsFor(material, tasks),
    prompt: `Quoted data:\n${fenced(lines, mark)}\nNow write ${keysOf(tasks)}.${fresh}${known}`,
    schema: answerSchema(tasks),
    schemaName: 'varve_span',
    maxOutputTokens: tasks.reduce((sum, { maxOutputTokens }) => sum + maxOutputTokens, 0),
  }
}

function keysOf(tasks: readonly AskedTask[]): string {
  return tasks.map(({ key }) => `"${key}"`).join(' and ')
}

/** Gives the messages of a span that may be distilled. */
export function distillable(messages: readonly SourceMessage[]): SourceMessage[] {
  return messages.filter(({ origin }) => origin !== 'system')
}

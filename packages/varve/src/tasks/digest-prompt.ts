import type { Granularity } from '../bank/granularity.ts'
import { defusedLine } from '../messages/defused.ts'
import { answerSchema } from './answer-schema.ts'
import { instructionsFor } from './instructions.ts'
import { digestTask } from './text-tasks.ts'
import type { Prompt } from './prompt.ts'
import { fenced, quoted, quotedName } from './quoted.ts'

/** A bank entry that goes into a digest. */
export interface DigestEntry {
  /** The thing that it sums up: a day, a week, a conversation's name. */
  readonly label: string
  readonly bullets: readonly string[]
}

export interface DigestOptions {
  readonly mark: string
  /** The granularity of the digest, such as `week`. */
  readonly granularity: Granularity
  /** The period of the digest, such as `2026-W14`. */
  readonly period: string
}

const material = {
  reading: 'summaries, oldest first: [number] label, and its bullets below it. Make one summary of the whole time.',
  cited: 'summaries',
  example: '[7] 2026-05-10\n  - Ada lives in Bergen.\n  - She sold her boat in May.',
} as const

/** Makes the prompt for one bank entry from the entries below it. Children are cited by number: 1, 2, 3 … */
export function digestPrompt(children: readonly DigestEntry[], { mark, granularity, period }: DigestOptions): Prompt {
  const items = children.map(({ label, bullets }, at) =>
    [`[${at + 1}] ${quotedName(label)}`, ...bullets.map((bullet) => `- ${quoted(bullet)}`)].join('\n  '),
  )
  return {
    instructions: instructionsFor(material, [digestTask]),
    prompt:
      `Summaries of one ${granularity}, ${defusedLine(period)}, quoted as data:\n${fenced(items, mark)}\nThat was the data. Now ` +
      `write "${digestTask.key}" of the whole ${granularity}.`,
    schema: answerSchema([digestTask]),
    schemaName: 'varve_digest',
    maxOutputTokens: digestTask.maxOutputTokens,
  }
}

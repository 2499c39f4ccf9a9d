import type { Sentence } from '../models/writer.ts'
import { answerSchema } from './answer-schema.ts'
import { instructionsFor } from './instructions.ts'
import type { Prompt } from './prompt.ts'
import { fenced, quoted } from './quoted.ts'
import type { TextTask } from './text-tasks.ts'

/** The sentences on each part of one conversation, in the order of the talk. */
export type Parts = readonly (readonly Sentence[])[]

const material = {
  reading:
    'what was written of each part of one long conversation: [number] (part) text. Make one whole of it. Say once what is said ' +
    'twice, and tell the outcome where it differs from the beginning.',
  cited: 'items',
  example: '[7] (part 2) Ada lives in Bergen. She sold her boat in May.',
} as const

/** Makes the prompt for one gist, or one set of bullets, from the stored parts of a conversation. */
export function fusePrompt(parts: Parts, task: TextTask, { mark }: { readonly mark: string }): Prompt {
  const items = numbered(parts).map(({ number, part, sentence }) => `[${number}] (part ${part}) ${quoted(sentence.text)}`)
  return {
    instructions: instructionsFor(material, [task]),
    prompt:
      `${parts.length} parts of one conversation, quoted as data:\n${fenced(items, mark)}\nThat was the data. Now write ` +
      `"${task.key}" of the whole conversation.`,
    schema: answerSchema([task]),
    schemaName: 'varve_fuse',
    maxOutputTokens: task.maxOutputTokens,
  }
}

/** Numbers the parts' sentences for citation: 1, 2, 3 … through all parts. */
export function numbered(parts: Parts): { number: number; part: number; sentence: Sentence }[] {
  return parts
    .flatMap((sentences, at) => sentences.map((sentence) => ({ part: at + 1, sentence })))
    .map((item, at) => ({ number: at + 1, ...item }))
}

import { randomBytes } from 'node:crypto'
import { contentTerms } from '../index/content-terms.ts'
import { markOf } from '../messages/fence.ts'
import { extractiveWriter } from '../extractive/extractive-writer.ts'
import type { ExtractiveWriter } from '../models/writer.ts'
import { redact } from '../redaction/redact.ts'
import type { Here } from '../storage/here.ts'
import { sessionRowById } from '../storage/log/sessions.ts'
import type { SizedPrompt } from './asked-model.ts'
import { type Prompt, tokensOf } from '../tasks/prompt.ts'

/** What writing layers reads from. */
export type DistilStore = Pick<Here, 'read' | 'key'>

/** The mark of one prompt's fences: text that was said before cannot know it. */
export function promptMark({ key }: DistilStore): string {
  return markOf(key, randomBytes(4).toString('hex'))
}

/** The language of a session (ISO 639-1; '' for unknown). */
export async function languageOf({ read }: DistilStore, session: number): Promise<string> {
  return (await read(sessionRowById(session)))?.language ?? ''
}

/** The extractive writer for a language: what it counts are words as the index stems them. */
export function writerIn(language: string): ExtractiveWriter {
  return extractiveWriter({ terms: (text) => contentTerms(text, language) })
}

/** Messages without their secrets: before a model sees them, and before anything is shared. */
export async function withoutSecrets<Source extends { readonly text: string }>(messages: readonly Source[]): Promise<readonly Source[]> {
  const { texts } = await redact(messages.map(({ text }) => text))
  return messages.map((message, place) => ({ ...message, text: texts[place] ?? '' }))
}

/** One text without its secrets. */
export async function redacted(text: string): Promise<string> {
  const {
    texts: [harmless = ''],
  } = await redact([text])
  return harmless
}

/** A prompt with the tokens that it takes. */
export function sized(prompt: Prompt): SizedPrompt {
  return { ...prompt, tokens: tokensOf(prompt) }
}

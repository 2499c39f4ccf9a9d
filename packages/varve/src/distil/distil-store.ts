import { randomBytes } from 'node:crypto'
import { contentTerms } from '../index/content-terms.ts'
import { markOf } from '../messages/fence.ts'
import { extractiveWriter } from '../extractive/extractive-writer.ts'
import type { ExtractiveWriter, SourceMessage } from '../models/writer.ts'
import { type RedactionSet, redact } from '../redaction/redact.ts'
import type { Here } from '../storage/here.ts'
import type { SizedPrompt } from './asked-model.ts'
import { speaksToReader } from '../tasks/speaks-to-reader.ts'
import { type Prompt, tokensOf } from '../tasks/prompt.ts'

/** The reads of the writers of layers. */
export interface DistilStore extends Pick<Here, 'read' | 'key'> {
  /** The mark of every prompt, where one is to be made twice in the same bytes. It must not leave the process. */
  readonly mark?: string
}

/** Makes the mark of one prompt's fences. Older text cannot know it. */
export function promptMark({ key, mark }: DistilStore): string {
  return mark ?? markOf(key, randomBytes(4).toString('hex'))
}

/** Gives the extractive writer for a language. It counts words as the index stems them. */
export function writerIn(language: string): ExtractiveWriter {
  return extractiveWriter({ terms: (text) => contentTerms(text, language), isKeptOut: speaksToReader })
}

/** Removes secrets from messages and from the names of their speakers, before a model sees them or a project shares them. */
export async function withoutSecrets<Source extends Pick<SourceMessage, 'text' | 'name'>>(
  messages: readonly Source[],
  set: RedactionSet,
): Promise<readonly Source[]> {
  const { texts } = await redact([...messages.map(({ text }) => text), ...messages.map(({ name }) => name ?? '')], set)
  return messages.map((message, place) => {
    const name = message.name === undefined ? {} : { name: texts[messages.length + place] ?? '' }
    return { ...message, text: texts[place] ?? '', ...name }
  })
}

/**
 * Removes secrets from what was written for a project, whoever wrote it. A model may join harmless words to a secret, or
 * know one by itself.
 */
export async function shareable<Written extends { readonly text: string }>(written: readonly Written[]): Promise<readonly Written[]> {
  const { texts } = await redact(
    written.map(({ text }) => text),
    'shared',
  )
  return written.map((one, place) => ({ ...one, text: texts[place] ?? '' }))
}

/** Removes secrets from one text of the owner's own. */
export async function redacted(text: string): Promise<string> {
  const {
    texts: [harmless = ''],
  } = await redact([text], 'model')
  return harmless
}

/** Adds its tokens to a prompt. `isAgain`: an earlier answer could not be used. */
export function sized(prompt: Prompt, isAgain = false): SizedPrompt {
  return { ...prompt, tokens: tokensOf(prompt), ...(isAgain ? { isAgain } : {}) }
}

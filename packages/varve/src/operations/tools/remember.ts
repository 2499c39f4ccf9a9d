import { documentOperations } from '../documents.ts'
import { factOperations } from '../facts.ts'
import { refused } from '../fields.ts'
import { instructionOperations } from '../instructions.ts'
import { stopping, type ToolInput, type ToolWriter } from './agent-tool.ts'
import { given } from './given.ts'
import type { MakeCall } from './make-call.ts'

/** What an agent kept. */
export interface ToldNote {
  readonly stored: 'fact' | 'instruction' | 'note'
  /** For `memory_edit`. */
  readonly ref: string
  /** Of a fact: true where the user said otherwise. It ends nothing, and is not shown as current. */
  readonly unverified?: true
}

/** The document of notes that name no topic. */
const usualTopic = 'Notes of the agent'

const oneOf = 'exactly one of: predicate with object, instruction, note'

/** Keeps what an agent gives: a fact or an instruction as the agent's note, anything else as a line of a document. @internal */
export async function keptByTool(make: MakeCall, by: ToolWriter, input: ToolInput, signal: AbortSignal | undefined): Promise<ToldNote> {
  const { subject, predicate, object, instruction, note, topic, ...others } = given(input)
  if (Object.keys(others).length > 0) throw refused(Object.keys(others)[0] ?? '', Object.values(others)[0], 'left out')
  const isFact = predicate !== undefined || object !== undefined
  if ([isFact, instruction !== undefined, note !== undefined].filter(Boolean).length !== 1) throw refused('note', note, oneOf)
  if (isFact) {
    const { id, unverified } = await make(factOperations.add, { ...given({ subject, predicate, object }), ...by }, stopping(signal))
    return { stored: 'fact', ref: `fact:${id}`, ...(unverified === undefined ? {} : { unverified }) }
  }
  if (instruction !== undefined) {
    const { id } = await make(instructionOperations.add, { text: instruction, ...by }, stopping(signal))
    return { stored: 'instruction', ref: `instruction:${id}` }
  }
  return noted(make, by, { note, topic: topic ?? usualTopic }, signal)
}

async function noted(make: MakeCall, by: ToolWriter, { note, topic }: ToolInput, signal: AbortSignal | undefined): Promise<ToldNote> {
  if (typeof note !== 'string' || note.trim() === '') throw refused('note', note, 'words')
  const standing = await make(documentOperations.read, { name: topic }, stopping(signal))
  // A document of the same name would hide the project's.
  if (standing?.shared === true) throw refused('topic', topic, 'another one: this document is the project’s, and read-only')
  const text = `- ${note.trim().replaceAll(/\s*[\r\n]+\s*/g, ' ')}`
  const change = { name: topic, change: [{ tool: 'append', text }], ...by }
  const { name } = await make(documentOperations.edit, change, stopping(signal))
  return { stored: 'note', ref: `document:${name}` }
}

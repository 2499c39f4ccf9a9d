import { VarveError } from '../../errors/varve-error.ts'
import { isSameText } from '../../instructions/derive.ts'
import type { Instruction } from '../../instructions/instruction.ts'
import { instructionText } from '../../instructions/request.ts'
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
  /** Of an instruction: `user` where it is the user's own; else the name of the agent whose note it is. */
  readonly by?: string
  /** True where the same words were kept before: they are stored once. */
  readonly again?: true
  /** Of a fact: true where the user said otherwise. It ends nothing, and is not shown as current. */
  readonly unverified?: true
}

/** The document of notes that name no topic. */
const usualTopic = 'Notes of the agent'

/** Tries to add a line. Of calls at once each round keeps one, so all of so many are kept. */
const mostTries = 100

const oneOf = 'exactly one of: predicate with object, instruction, note'

/** Keeps what an agent gives: a fact or an instruction as the agent's note, anything else as a line of a document. @internal */
export async function keptByTool(make: MakeCall, by: ToolWriter, input: ToolInput, signal: AbortSignal | undefined): Promise<ToldNote> {
  const { subject, predicate, object, instruction, note, topic } = given(input)
  const call = stopping(signal)
  const isFact = predicate !== undefined || object !== undefined
  if ([isFact, instruction !== undefined, note !== undefined].filter(Boolean).length !== 1) throw refused('note', note, oneOf)
  if (isFact) return factKept(make, { ...given({ subject, predicate, object }), ...by }, call)
  if (instruction !== undefined) return instructionKept(make, { text: instruction, ...by }, call)
  return noted({ make, by, call }, note, topic ?? usualTopic)
}

async function factKept(make: MakeCall, fact: Readonly<Record<string, unknown>>, call: object): Promise<ToldNote> {
  const { predicate, object } = fact
  const isAsked = typeof predicate === 'string' && typeof object === 'string'
  const before = isAsked ? await make(factOperations.query, { predicate, object }, call) : []
  const { id, unverified } = await make(factOperations.add, fact, call)
  return { stored: 'fact', ref: `fact:${id}`, ...againIn(before, id), ...(unverified === undefined ? {} : { unverified }) }
}

/**
 * Keeps an instruction, of an agent where one is named, else of the user: only for one to which the person said yes.
 *
 * @internal
 */
export async function instructionKept(make: MakeCall, instruction: object, call: object): Promise<ToldNote> {
  const before = await make(instructionOperations.list, {}, call)
  return toldInstruction(await make(instructionOperations.add, instruction, call), before)
}

/** Finds the user's own instruction in the same words. Refuses words that can be none. @internal */
export async function ownInstruction(make: MakeCall, words: unknown, call: object): Promise<ToldNote | undefined> {
  const text = instructionText(words)
  const standing = await make(instructionOperations.list, {}, call)
  const own = standing.find((one) => one.noted !== true && isSameText(one.text, text))
  return own === undefined ? undefined : toldInstruction(own, standing)
}

function toldInstruction({ id, noted: isNote, by }: Instruction, before: readonly Instruction[]): ToldNote {
  return { stored: 'instruction', ref: `instruction:${id}`, by: isNote === true ? by : 'user', ...againIn(before, id) }
}

function againIn(before: readonly { readonly id: string }[], id: string): { readonly again?: true } {
  return before.some((one) => one.id === id) ? { again: true } : {}
}

/** Joins the lines of a text. A pattern for blanks around line ends would look at each blank once for each before it. */
function inOneLine(text: string): string {
  const lines = text.split(/[\r\n]/).map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

interface Agent {
  readonly make: MakeCall
  readonly by: ToolWriter
  readonly call: object
}

async function noted(agent: Agent, note: unknown, topic: unknown, tries = 1): Promise<ToldNote> {
  const { make, by, call } = agent
  if (typeof note !== 'string' || note.trim() === '') throw refused('note', note, 'words')
  const standing = await make(documentOperations.read, { name: topic }, call)
  // A document of the same name would hide the project's.
  if (standing?.shared === true) throw refused('topic', topic, 'another one: this document is the project’s, and read-only')
  const text = `- ${inOneLine(note)}`
  if (standing?.content.split('\n').includes(text) === true) return { stored: 'note', ref: `document:${standing.name}`, again: true }
  const change = { name: topic, change: [{ tool: 'append', text }], revision: standing?.revision ?? 0, ...by }
  try {
    const { name } = await make(documentOperations.edit, change, call)
    return { stored: 'note', ref: `document:${name}` }
  } catch (error) {
    // Another writer was first, maybe with the same words.
    if (tries < mostTries && VarveError.is(error) && error.code === 'STALE_REVISION') return noted(agent, note, topic, tries + 1)
    throw error
  }
}

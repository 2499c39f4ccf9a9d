import { InvalidOption } from '../../errors/invalid-option.ts'
import { NotFound } from '../../errors/not-found.ts'
import { StaleRevision } from '../../errors/stale-revision.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { blockOperations } from '../blocks.ts'
import { documentOperations } from '../documents.ts'
import { factOperations } from '../facts.ts'
import { refused } from '../fields.ts'
import { instructionOperations } from '../instructions.ts'
import { stopping, type ToolInput, type ToolWriter } from './agent-tool.ts'
import { given } from './given.ts'
import type { MakeCall } from './make-call.ts'
import { parsedRef } from './told-hit.ts'

/** What an edit left. */
export interface ToldEdit {
  readonly ref: string
  readonly done: 'corrected' | 'retracted' | 'edited'
  /** The words that stand now; of a page, its length alone. */
  readonly text?: string
  readonly chars?: number
  readonly version?: string
}

interface Edit {
  readonly make: MakeCall
  readonly by: ToolWriter
  readonly ref: string
  readonly id: string
  readonly text: unknown
  readonly old: unknown
  readonly isRetracted: boolean
  readonly version: unknown
  readonly call: object
}

const kinds: Readonly<Record<string, (edit: Edit) => Promise<ToldEdit>>> = {
  fact: editedFact,
  instruction: editedInstruction,
  document: editedDocument,
  block: editedBlock,
}

const expectedRef = 'the ref of a fact, an instruction, a document or a block; what was said in a message only the user changes'

/** The fields of the tool, by the fields of the operations that it asks. */
const ownFields: Readonly<Record<string, string>> = {
  object: 'text',
  'edits[0].text': 'text',
  id: 'ref',
  name: 'ref',
  expectedVersion: 'version',
}

/** Makes one edit, under the name of an agent. @internal */
export async function editedByTool(make: MakeCall, by: ToolWriter, input: ToolInput, signal: AbortSignal | undefined): Promise<ToldEdit> {
  const { old, version, retract } = given(input)
  const { kind, id } = parsedRef(input['ref']) ?? { kind: '', id: '' }
  const work = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (work === undefined) throw refused('ref', input['ref'], expectedRef)
  const text = input['text'] ?? undefined
  const isRetracted = retract === true
  if (isRetracted === (text !== undefined)) throw refused('text', text, 'one of text and retract: true')
  if (text === '' && old === undefined) throw refused('text', text, 'words')
  try {
    return await work({ make, by, ref: `${kind}:${id}`, id, text, old, isRetracted, version, call: stopping(signal) })
  } catch (error) {
    throw namedAsGiven(error)
  }
}

/** Names the field that the model gave, in place of the operation's. */
function namedAsGiven(error: unknown): unknown {
  if (!VarveError.is(error) || error.code !== 'OPTION_INVALID') return error
  const { option, received, expected }: Pick<InvalidOption, 'option' | 'received' | 'expected'> = Object(error)
  const own = Object.hasOwn(ownFields, option) ? ownFields[option] : undefined
  return own === undefined ? error : new InvalidOption({ option: own, received, expected }, { cause: error })
}

async function editedFact({ make, by, ref, id, text, isRetracted, version, call }: Edit): Promise<ToldEdit> {
  const expected = given({ expectedVersion: version })
  if (isRetracted) {
    await make(factOperations.retract, { id, writer: by.writer, ...expected }, call)
    return { ref, done: 'retracted' }
  }
  const fact = await make(factOperations.correct, { id, object: text, ...by, ...expected }, call)
  return { ref: `fact:${fact.id}`, done: 'corrected', text: `${fact.subject} ${fact.predicate} ${fact.object}`, version: fact.version }
}

/** Takes a note back. Other words are a new note: they are kept before the old ones go. */
async function editedInstruction({ make, by, ref, id, text, isRetracted, version, call }: Edit): Promise<ToldEdit> {
  const expected = given({ expectedVersion: version })
  if (isRetracted) {
    await make(instructionOperations.withdraw, { id, writer: by.writer, ...expected }, call)
    return { ref, done: 'retracted' }
  }
  const standing = (await make(instructionOperations.list, {}, call)).find((one) => one.id === id)
  if (standing === undefined) throw new NotFound({ kind: 'instruction', id })
  if (standing.noted !== true) throw refused('ref', ref, 'an instruction that an agent noted: what the user wants only the user changes')
  // Before the new words stand: a refusal must leave things as they are.
  if (version !== undefined && version !== standing.version)
    throw new StaleRevision({ page: `instruction ${id}`, expected: String(version), standing: standing.version })
  const made = await make(instructionOperations.add, { text, ...by }, call)
  if (made.id !== id) {
    const isLeft = (await make(instructionOperations.list, {}, call)).some((one) => one.id === id)
    if (isLeft) await make(instructionOperations.withdraw, { id, writer: by.writer }, call)
  }
  return { ref: `instruction:${made.id}`, done: 'edited', text: made.text }
}

function refuseRetract({ isRetracted, ref }: Edit): void {
  if (isRetracted) throw refused('retract', true, `left out: erase ${ref} with memory_forget`)
}

async function editedDocument(edit: Edit): Promise<ToldEdit> {
  refuseRetract(edit)
  const { make, by, id, text, old, version, call } = edit
  const standing = ownPage('document', edit, await make(documentOperations.read, { name: id }, call))
  const change = old === undefined ? { tool: 'append', text } : { tool: 'replace_text', old, text }
  if (old !== undefined) withReplaced(standing.content, old, text)
  const revision = revisionOf(version, standing)
  const { name, chars, revision: now } = await make(documentOperations.edit, { name: id, change: [change], revision, ...by }, call)
  return { ref: `document:${name}`, done: 'edited', chars, version: String(now) }
}

async function editedBlock(edit: Edit): Promise<ToldEdit> {
  refuseRetract(edit)
  const { make, by, ref, id, text, old, version, call } = edit
  const standing = ownPage('block', edit, await make(blockOperations.get, { name: id }, call))
  const revision = revisionOf(version, standing)
  const changed = old === undefined ? `${standing.text}\n${String(text)}` : withReplaced(standing.text, old, text)
  const block = await make(blockOperations.set, { name: id, text: changed, revision, ...by }, call)
  return { ref, done: 'edited', chars: block.chars, version: String(block.revision) }
}

interface Standing {
  readonly shared?: true
  readonly revision: number
}

function ownPage<Page extends Standing>(kind: 'document' | 'block', { id, ref }: Edit, standing: Page | undefined): Page {
  if (standing === undefined) throw new NotFound({ kind, id })
  if (standing.shared === true) throw refused('ref', ref, `a ${kind} of the user: this one is the project’s, and read-only`)
  return standing
}

function revisionOf(version: unknown, { revision }: Standing): number {
  if (version === undefined) return revision
  if (!/^\d+$/.test(String(version))) throw refused('version', version, 'the version that an answer gave')
  return Number(version)
}

/** Puts a text in the place of words that stand there exactly once. */
function withReplaced(whole: string, old: unknown, text: unknown): string {
  const parts = typeof old === 'string' ? whole.split(old) : []
  if (parts.length !== 2)
    throw refused('old', old, `words that stand there exactly once; they stand there ${Math.max(parts.length - 1, 0)} times`)
  return parts.join(String(text))
}

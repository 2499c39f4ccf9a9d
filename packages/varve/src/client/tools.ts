import type { ProjectMemory } from '../memory/project-memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { blockTools } from '../operations/tools/blocks.ts'
import { documentTools } from '../operations/tools/documents.ts'
import { factTools } from '../operations/tools/facts.ts'
import { instructionTools } from '../operations/tools/instructions.ts'
import type { MakeCall } from '../operations/tools/make-call.ts'
import { memoryTools } from '../operations/tools/memory.ts'
import { specs } from './call-table.ts'
import type { RemoteProjectMemory, RemoteUserMemory } from './remote-memory.ts'

/** Handles whose agents' tools are those of the library. */
type WithTools<Remote, Library, Names extends keyof Remote & keyof Library> = Omit<Remote, Names> & {
  readonly [Name in Names]: Remote[Name] & (Library[Name] extends { tools: infer Tools } ? { readonly tools: Tools } : never)
}

/** A partition at a server, with the agents' tools. */
export type ToolUserMemory = WithTools<RemoteUserMemory, UserMemory, 'blocks' | 'facts' | 'instructions' | 'documents'> &
  Pick<UserMemory, 'tools'>

/** A project at a server, with the agents' tools. */
export type ToolProjectMemory = WithTools<RemoteProjectMemory, ProjectMemory, 'blocks' | 'documents'>

/**
 * Gives a handle of `varve/client` the `tools()` of the library's: the same names, descriptions, schemas and answers. Each tool makes
 * calls of the handle. It loads the operations, so it is for where an agent runs: Node, Deno and Bun.
 *
 * @example const ada = withTools(connect({ url, key }).for('ada')); generateText({ model, prompt, tools: ada.facts.tools() })
 */
export function withTools(handle: RemoteUserMemory): ToolUserMemory
export function withTools(handle: RemoteProjectMemory): ToolProjectMemory
export function withTools(handle: RemoteUserMemory | RemoteProjectMemory) {
  const make = callsOfHandle(handle)
  const isProjects = !('facts' in handle)
  const blocks = { ...handle.blocks, tools: (options = {}) => blockTools(make, options) }
  const documents = { ...handle.documents, tools: (options = {}) => documentTools(make, options, isProjects) }
  if (!('facts' in handle)) return { ...handle, blocks, documents }
  const facts = { ...handle.facts, tools: (options = {}) => factTools(make, options) }
  const instructions = { ...handle.instructions, tools: (options = {}) => instructionTools(make, options) }
  return { ...handle, blocks, documents, facts, instructions, tools: (options = {}) => memoryTools(make, options) }
}

/** Makes an operation's call by the method of a handle: its fields by place, then the others. @internal */
export function callsOfHandle(handle: object): MakeCall {
  const all = [...specs.shared, ...specs.user]
  return async ({ name }, input, call) => {
    const { property = '', method = '', placed = [], whole = '' } = all.find((spec) => spec.name === name) ?? {}
    const others: Record<string, unknown> = { ...input }
    const byPlace = placed.map((field) => {
      const value = others[field]
      delete others[field]
      return value
    })
    const owner = property === '' ? handle : Reflect.get(handle, property)
    return Object(owner)[method](...byPlace, ...(whole === '' ? [{ ...others, ...call }] : [others, call]))
  }
}

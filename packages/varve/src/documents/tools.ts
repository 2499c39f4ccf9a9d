import { InvalidOption } from '../errors/invalid-option.ts'
import { NotFound } from '../errors/not-found.ts'
import { type AgentTool, agentTool, stopping, type ToolInput } from '../scope/agent-tool.ts'
import { shown } from '../scope/name.ts'
import type { Document, DocumentEntry } from './document.ts'
import { documentName } from './validate.ts'

interface ToolCall {
  readonly signal?: AbortSignal
}

interface FoundPassage {
  readonly name: string
  readonly passage: string
  readonly score: number
}

/** What tools do: the calls of a handle on documents. */
interface DocumentCalls {
  /** Whether they are the project's: then what it shares can be changed by them. */
  readonly isProjects: boolean
  list(call: ToolCall): Promise<readonly DocumentEntry[]>
  read(name: string, call: ToolCall): Promise<Document | undefined>
  recollect(query: string, call: ToolCall): Promise<readonly FoundPassage[]>
  edit(name: string, edits: readonly unknown[], call: ToolCall & { readonly revision: number }): Promise<Document>
}

/** What a tool says of a document. */
interface ToldDocument {
  readonly name: string
  readonly description: string
  readonly revision: number
  /** That the tools cannot change it. */
  readonly readOnly?: true
}

interface ToldContent extends ToldDocument {
  /** Each line under its number, by which edits name it. */
  readonly lines: string
}

// A type, not an interface: the AI SDK's ToolSet has an index signature.
/** Tools by which an agent reads and keeps documents. */
export type DocumentTools = {
  readonly memory_document_list: AgentTool<{ readonly documents: readonly ToldDocument[] }>
  readonly memory_document_read: AgentTool<ToldContent>
  readonly memory_document_recollect: AgentTool<{ readonly passages: readonly FoundPassage[] }>
  readonly memory_document_edit: AgentTool<ToldContent>
}

const name = { type: 'string', description: 'The name of the document.' }
const edits = {
  type: 'array',
  description: 'Edits of the document as you read it: all of them are made, or none.',
  items: {
    type: 'object',
    properties: {
      tool: { type: 'string', enum: ['append', 'replace_lines', 'delete_lines', 'replace_section', 'replace_text'] },
      text: { type: 'string', description: 'The new text; not for delete_lines.' },
      from: { type: 'integer', description: 'First line, of replace_lines and delete_lines.' },
      to: { type: 'integer', description: 'Last line, included.' },
      section: { type: 'string', description: 'A heading: for replace_section, and to append to it or replace in it.' },
      old: { type: 'string', description: 'Of replace_text: words that stand there exactly once.' },
    },
    required: ['tool'],
    additionalProperties: false,
  },
}
const revision = { type: 'integer', description: 'The revision that you read; 0 for a new document.' }

export function documentTools(calls: DocumentCalls): DocumentTools {
  const told = ({ name: called, description, revision: stands, shared }: DocumentEntry): ToldDocument => ({
    name: called,
    description,
    revision: stands,
    ...(shared === true && !calls.isProjects ? { readOnly: true } : {}),
  })
  const content = (document: Document): ToldContent => ({
    ...told(document),
    lines: document.content
      .split('\n')
      .map((line, at) => `${at + 1}: ${line}`)
      .join('\n'),
  })
  return {
    memory_document_list: agentTool(
      'List the documents of your long-term memory: markdown pages, each about one subject.',
      { properties: {}, required: [] },
      async (_input, signal) => ({ documents: (await calls.list(stopping(signal))).map(told) }),
    ),
    memory_document_read: agentTool(
      'Read a document of your long-term memory. Read it before you edit it.',
      { properties: { name }, required: ['name'] },
      async (input, signal) => {
        const document = await calls.read(documentName(input['name']), stopping(signal))
        if (document === undefined) throw new NotFound({ kind: 'document', id: String(input['name']) })
        return content(document)
      },
    ),
    memory_document_recollect: agentTool(
      'Find passages in the documents of your long-term memory.',
      { properties: { query: { type: 'string', description: 'What you want to know.' } }, required: ['query'] },
      async (input, signal) => ({
        passages: (await calls.recollect(String(input['query'] ?? ''), stopping(signal))).map(({ name: found, passage, score }) => ({
          name: found,
          passage,
          score,
        })),
      }),
    ),
    memory_document_edit: agentTool(
      'Edit a document of your long-term memory, or make a new one by appending to it.',
      { properties: { name, revision, edits }, required: ['name', 'revision', 'edits'] },
      async (input, signal) => {
        const change = toolEdit(input)
        // One of the same name would hide it.
        if (!calls.isProjects && (await calls.read(change.name, stopping(signal)))?.shared === true)
          throw refused('name', change.name, 'another one: this document is the project’s, and read-only')
        return content(await calls.edit(change.name, change.edits, { ...stopping(signal), revision: change.revision }))
      },
    ),
  }
}

/** A text in the place of the edits would be taken for the whole content, and an edit without a revision for one of whatever stands. */
function toolEdit(input: ToolInput): { readonly name: string; readonly revision: number; readonly edits: readonly unknown[] } {
  const { name: called, revision: basis, edits: made } = input
  if (typeof basis !== 'number') throw refused('revision', basis, 'the number of the revision that you read, or 0 for a new document')
  if (!Array.isArray(made)) throw refused('edits', made, 'a list of edits')
  return { name: documentName(called), revision: basis, edits: made }
}

function refused(option: string, received: unknown, expected: string): InvalidOption {
  return new InvalidOption({ option, received: shown(received), expected })
}

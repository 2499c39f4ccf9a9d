import type { Document, DocumentEntry } from '../../documents/document.ts'
import { agentName, documentName } from '../../documents/validate.ts'
import { NotFound } from '../../errors/not-found.ts'
import { documentOperations } from '../documents.ts'
import { refused, session, textChecked } from '../fields.ts'
import { parseInput } from '../parse.ts'
import { type AgentTool, agentTool, stopping, type ToolInput } from './agent-tool.ts'
import { fieldSchemas, type MakeCall } from './make-call.ts'

interface FoundPassage {
  readonly name: string
  readonly passage: string
  readonly score: number
}

/** A document as a tool shows it. */
interface ToldDocument {
  readonly name: string
  readonly description: string
  readonly revision: number
  /** True when the tools cannot change it. */
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
  /** Only for a user's tools that were made with a session. */
  readonly memory_document_memorize?: AgentTool<ToldMemorized>
}

/** The result of memorizing, as a tool tells it. */
interface ToldMemorized {
  readonly documents: readonly { readonly name: string; readonly revision: number }[]
  /** Facts that were worked in, and facts that wait: the next try, or upkeep, works them in. */
  readonly facts: number
  readonly waiting: number
}

const { read, recollect, edit, list, memorize } = documentOperations

const toolOptions = { input: () => ({ session: session().optional(), writer: textChecked(agentName).default('agent') }) }

/** Gives the schema of a tool's edits, which are a list: a text would replace the whole content. */
function editsSchema(): unknown {
  const { change } = fieldSchemas(edit, ['change'])
  return [Reflect.get(Object(change), 'anyOf')].flat()[1]
}

/**
 * Makes the tools, which write under the name of an agent. The tools of a project (`isProjects`) can change its shared
 * documents.
 *
 * @internal
 */
export function documentTools(make: MakeCall, options: object, isProjects: boolean): DocumentTools {
  const { session: during, writer } = parseInput(toolOptions, options).input
  const by = { writer, ...(during === undefined ? {} : { during }) }
  const told = ({ name: called, description, revision: stands, shared }: DocumentEntry): ToldDocument => ({
    name: called,
    description,
    revision: stands,
    ...(shared === true && !isProjects ? { readOnly: true } : {}),
  })
  const content = (document: Document): ToldContent => ({
    ...told(document),
    lines: document.content
      .split('\n')
      .map((line, at) => `${at + 1}: ${line}`)
      .join('\n'),
  })
  const session = isProjects ? undefined : during
  return {
    ...(session === undefined ? {} : { memory_document_memorize: memorizing(make, session) }),
    memory_document_list: agentTool(
      'List the documents of your long-term memory: markdown pages, each about one subject.',
      { properties: {}, required: [] },
      async (_input, signal) => ({ documents: (await make(list, {}, stopping(signal))).map(told) }),
    ),
    memory_document_read: agentTool(
      'Read a document of your long-term memory. Read it before you edit it.',
      { properties: fieldSchemas(read, ['name']), required: ['name'] },
      async (input, signal) => {
        const document = await make(read, { name: input['name'] }, stopping(signal))
        if (document === undefined) throw new NotFound({ kind: 'document', id: String(input['name']) })
        return content(document)
      },
    ),
    memory_document_recollect: agentTool(
      'Find passages in the documents of your long-term memory.',
      { properties: fieldSchemas(recollect, ['query']), required: ['query'] },
      async (input, signal) => ({
        passages: (await make(recollect, { query: String(input['query'] ?? '') }, stopping(signal))).map(
          ({ name: found, passage, score }) => ({ name: found, passage, score }),
        ),
      }),
    ),
    memory_document_edit: agentTool(
      'Edit a document of your long-term memory, or make a new one by appending to it.',
      { properties: { ...fieldSchemas(edit, ['name', 'revision']), edits: editsSchema() }, required: ['name', 'revision', 'edits'] },
      async (input, signal) => {
        const change = toolEdit(input)
        // A document of the same name would hide the project's.
        if (!isProjects && (await make(read, { name: change.name }, stopping(signal)))?.shared === true)
          throw refused('name', change.name, 'another one: this document is the project’s, and read-only')
        return content(await make(edit, { name: change.name, change: change.edits, revision: change.revision, ...by }, stopping(signal)))
      },
    ),
  }
}

/**
 * Makes the tool that memorizes its session. It takes no words of the agent: the messages are read as upkeep reads them, so
 * that each fact keeps its lineage, and only a person's words become facts.
 */
function memorizing(make: MakeCall, session: string): AgentTool<ToldMemorized> {
  return agentTool(
    'Memorize what the user just told you: facts in the new messages of this conversation go into the documents of your long-term ' +
      'memory. Call it after the user said something that is worth keeping. It takes no words of yours.',
    { properties: {}, required: [] },
    async (_input, signal) => {
      const { documents, facts, waiting } = await make(memorize, { session }, stopping(signal))
      return { documents: documents.map(({ name, revision }) => ({ name, revision })), facts, waiting }
    },
  )
}

/**
 * Reads the edit of a tool. It refuses a text, which would replace the whole content, and an edit without a revision,
 * which would edit any revision.
 */
function toolEdit(input: ToolInput): { readonly name: string; readonly revision: number; readonly edits: readonly unknown[] } {
  const { name: called, revision: basis, edits: made } = input
  if (typeof basis !== 'number') throw refused('revision', basis, 'the number of the revision that you read, or 0 for a new document')
  if (!Array.isArray(made)) throw refused('edits', made, 'a list of edits')
  return { name: documentName(called), revision: basis, edits: made }
}

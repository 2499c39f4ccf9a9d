import { type McpServer, type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { defusedLines } from '../messages/defused.ts'
import { bankOperations } from '../operations/bank.ts'
import { blockOperations } from '../operations/blocks.ts'
import { documentOperations } from '../operations/documents.ts'
import { notesOperations } from '../operations/notes.ts'
import { userOperations } from '../operations/user.ts'
import { fencedText } from './fenced.ts'
import type { McpMeans } from './mcp-means.ts'
import { pageOfProfile } from './page-of-profile.ts'
import { inProtocolsWords } from './protocol-words.ts'
import { listedResources } from './resource-list.ts'
import { type NamedResource, placeOfUri, type ResourcePlace, type SingleResource } from './resource-uri.ts'

type Make = McpMeans['make']

const mimeType = 'text/markdown'
const inset = '  '

const templates: Readonly<Record<NamedResource, string>> = {
  blocks: 'A block of working memory',
  documents: 'A document: a page of knowledge about one subject',
  notes: 'The notes of a session',
}

/** Reads each page that has a name. Undefined when there is none. */
const named: Readonly<Record<NamedResource, (make: Make, name: string, call: object) => Promise<string | undefined>>> = {
  blocks: async (make, name, call) => (await make(blockOperations.get, { name }, call))?.text,
  documents: async (make, name, call) => (await make(documentOperations.read, { name }, call))?.content,
  notes: async (make, session, call) => (await make(notesOperations.get, { session }, call))?.content,
}

const single: Readonly<Record<SingleResource, (means: McpMeans, call: object) => Promise<string>>> = {
  // The page is defused where its parts are put together.
  profile: async (means, call) => fencedText(means, pageOfProfile(await means.make(userOperations.profile, {}, call))),
  // The bank has a preamble of its own, and its lines are defused.
  bank: async (means, call) => {
    const { text } = await means.make(bankOperations.render, {}, call)
    return text === '' ? 'Nothing is remembered yet.' : fencedText(means, text)
  },
}

/** Adds the pages of a memory: its profile, its bank, blocks, documents and notes. */
export function addResources({ server }: McpServer, means: McpMeans): void {
  server.setRequestHandler('resources/list', ({ params }, { mcpReq: { signal } }) =>
    inProtocolsWords(() => listedResources(means.make, params?.cursor, { signal })),
  )
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: Object.entries(templates).map(([kind, description]) => ({
      ...{ name: kind, description, mimeType },
      uriTemplate: `varve://${kind}/{name}`,
    })),
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }, { mcpReq: { signal } }) =>
    inProtocolsWords(async () => {
      const place = placeOfUri(uri)
      const text = place === undefined ? undefined : await read(means, place, { signal })
      if (text === undefined) throw new ResourceNotFoundError(uri)
      const result: ReadResourceResult = { contents: [{ uri, mimeType, text }] }
      return result
    }),
  )
}

async function read(means: McpMeans, place: ResourcePlace, call: object): Promise<string | undefined> {
  if ('single' in place) return single[place.single](means, call)
  const text = await named[place.kind](means.make, place.name, call)
  // No line of it begins as a line of the talk around it would.
  return text === undefined ? undefined : fencedText(means, `${inset}${defusedLines(text, inset)}`)
}

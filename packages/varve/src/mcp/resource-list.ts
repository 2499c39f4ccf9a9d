import type { ListResourcesResult, Resource } from '@modelcontextprotocol/server'
import { InvalidOption } from '../errors/invalid-option.ts'
import { nameLine } from '../messages/shown-name.ts'
import { blockOperations } from '../operations/blocks.ts'
import { documentOperations } from '../operations/documents.ts'
import { notesOperations } from '../operations/notes.ts'
import { kinds, type NamedResource, singles, uriOf } from './resource-uri.ts'
import type { MakeCall } from '../operations/tools/make-call.ts'

interface NamedPage {
  readonly name: string
  readonly updatedAt: number
  readonly isShared?: boolean
}

interface Found {
  readonly pages: readonly NamedPage[]
  readonly cursor: string | undefined
}

const pageSize = 100

/** Lists the names of each kind, a page at a time. */
const listed: Readonly<Record<NamedResource, (make: MakeCall, page: object, call: object) => Promise<Found>>> = {
  blocks: async (make, page, call) => {
    const found = await make(blockOperations.list, page, call)
    return { pages: found.map(({ name, updatedAt, shared = false }) => ({ name, updatedAt, isShared: shared })), cursor: found.cursor }
  },
  documents: async (make, page, call) => {
    const found = await make(documentOperations.list, page, call)
    return { pages: found.map(({ name, updatedAt, shared = false }) => ({ name, updatedAt, isShared: shared })), cursor: found.cursor }
  },
  notes: async (make, page, call) => {
    const found = await make(notesOperations.list, page, call)
    return { pages: found.map(({ session, updatedAt }) => ({ name: session, updatedAt })), cursor: found.cursor }
  },
}

const titles = { profile: 'Profile of the user', bank: 'Summaries of earlier talk' } as const
const words: Readonly<Record<NamedResource, string>> = { blocks: 'Block', documents: 'Document', notes: 'Notes of session' }
const mimeType = 'text/markdown'

/**
 * Lists a page of resources: first the two that every memory has, then the blocks, the documents and the notes. The cursor says in
 * which kind the list goes on, and where.
 */
export async function listedResources(make: MakeCall, cursor: string | undefined, call: object): Promise<ListResourcesResult> {
  const [kind = 'blocks', ...rest] = cursor?.split(' ') ?? []
  const at = kinds.findIndex((one) => one === kind)
  const standing = kinds[at]
  if (standing === undefined)
    throw new InvalidOption({ option: 'cursor', received: 'another one', expected: 'the cursor of an earlier page' })
  const inner = rest.join(' ')
  const { pages, cursor: next } = await listed[standing](make, { limit: pageSize, ...(inner === '' ? {} : { cursor: inner }) }, call)
  const following = next === undefined ? kinds[at + 1] : `${standing} ${next}`
  return {
    resources: [...(cursor === undefined ? ownPages() : []), ...ownFirst(pages).map((page) => resourceOf(standing, page))],
    ...(following === undefined ? {} : { nextCursor: following }),
  }
}

function ownPages(): Resource[] {
  return singles.map((single) => ({ uri: uriOf({ single }), name: single, title: titles[single], mimeType }))
}

/** A user's own page hides the project's of the same name: it is the one that is read. */
function ownFirst(pages: readonly NamedPage[]): readonly NamedPage[] {
  const own = new Set(pages.filter(({ isShared = false }) => !isShared).map(({ name }) => name))
  return pages.filter(({ name, isShared = false }) => !isShared || !own.has(name))
}

function resourceOf(kind: NamedResource, { name, updatedAt }: NamedPage): Resource {
  return {
    uri: uriOf({ kind, name }),
    name: nameLine(name),
    title: `${words[kind]} ${nameLine(name)}`,
    mimeType,
    annotations: { audience: ['assistant'], lastModified: new Date(updatedAt).toISOString() },
  }
}

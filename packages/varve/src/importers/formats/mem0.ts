import * as z from 'zod'
import type { ImportItem, ImportSource } from '../importer.ts'
import { atLine, looseValues } from '../loose-values.ts'
import { ownerOfLine, type StatedOwner } from '../stated-owner.ts'
import { hash } from '../text.ts'
import { fromSeconds, readTime } from '../times.ts'
import { flatMetadata } from './flat-metadata.ts'
import { isRecord } from './values.ts'

const text = z.string().min(1).optional().catch(undefined)

/** A memory as `get_all` gives it. The library for Python and the platform write `created_at`, that for TypeScript `createdAt`. */
const memory = z.object({
  id: text,
  memory: z.string().nullable(),
  agent_id: text,
  run_id: text,
  actor_id: text,
  agentId: text,
  runId: text,
  created_at: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
  expiration_date: text,
  expirationDate: text,
  categories: z.array(z.string()).optional().catch(undefined),
  metadata: z.unknown().optional(),
})
type Mem0Memory = z.infer<typeof memory>

/** An edge of the graph, which `get_all` gives beside the memories. */
const relation = z.object({ source: z.string().min(1), relationship: text, relation: text, target: text, destination: text })

/** The lists of an answer: of memories, and of the graph's edges. */
const memoryLists: readonly string[] = ['results', 'memories', 'relations']

/** The most edges that wait for the end of the file, where it is known whose they are. */
const mostRelations = 100_000

/** The session of memories that belong to no run, and the name of their speaker. */
export const mem0Session = 'mem0'

/**
 * Reads what mem0's `get_all` gives, as JSON: `{ results: [...] }`, a page of the platform's, or a list. A memory
 * becomes a message of the origin `tool`, because a model wrote it, in the session `mem0` or `mem0/<run>`.
 */
export async function* readMem0(source: ImportSource): AsyncGenerator<ImportItem> {
  const owners = new Owners()
  const edges: string[] = []
  let edgesLeft = 0
  for await (const item of looseValues(source, memoryLists)) {
    if (item.kind !== 'value') yield item
    else if (item.list === 'relations' && edges.length < mostRelations) {
      const edge = edgeOf(item.value)
      if (edge === undefined) yield { kind: 'skipped', reason: 'not a memory' }
      else edges.push(edge)
    } else if (item.list === 'relations') edgesLeft += 1
    else if (item.list === '' || memoryLists.includes(item.list)) yield* atLine(memoryItems(item.value, owners), item.line)
  }
  yield { kind: 'skipped', reason: 'conversation too large', count: edgesLeft }
  yield* edgeItems(edges, owners)
}

function* memoryItems(value: unknown, owners: Owners): Generator<ImportItem> {
  const parsed = memory.safeParse(value)
  const owner = ownerOf(value)
  if (!parsed.success || owner === 'unreadable') {
    yield { kind: 'skipped', reason: parsed.success ? 'unreadable owner' : 'not a memory' }
    return
  }
  owners.met(owner)
  const { memory: content, metadata, id } = parsed.data
  const flat = flatMetadata(metadata)
  const told = timeOfWords(parsed.data.created_at ?? parsed.data.createdAt, parsed.data.updated_at ?? parsed.data.updatedAt)
  if (flat.left > 0) yield { kind: 'repaired', reason: 'metadata left out', count: flat.left }
  yield {
    kind: 'message',
    session: sessionOfRun(parsed.data.run_id ?? parsed.data.runId),
    owner,
    message: {
      role: 'tool',
      origin: 'tool',
      name: mem0Session,
      content: content ?? '',
      id: id ?? `memory-${hash(content ?? '')}`,
      at: told.at,
      metadata: { ...flat.kept, ...detailsOf(parsed.data), ...told.began },
    },
  }
}

/**
 * Returns the time of a memory's words: of its update, where it was updated, since the update wrote them. `began` keeps the
 * time before, as metadata. Numbers below 1e11 are seconds.
 */
export function timeOfWords(
  created: unknown,
  updated: unknown,
): { readonly at: unknown; readonly began: Readonly<Record<string, string>> } {
  const [from, to] = [inMilliseconds(created), inMilliseconds(updated)]
  const [began, ended] = [readTime(from), readTime(to)]
  if (ended.kind !== 'time') return { at: from, began: {} }
  if (began.kind !== 'time' || began.ms >= ended.ms) return { at: began.kind === 'time' ? from : to, began: {} }
  return { at: to, began: { createdAt: new Date(began.ms).toISOString() } }
}

/** A number of mem0's is seconds, but for those of a store that writes milliseconds. */
function inMilliseconds(at: unknown): unknown {
  return typeof at === 'number' && at < 1e11 ? fromSeconds(at) : at
}

/** Returns the session of a run's memories. */
export function sessionOfRun(run: string | undefined): string {
  return run === undefined ? mem0Session : `${mem0Session}/${run}`
}

/** Whose a memory is: a user's, or else the agent's own. mem0 writes null where there is none. */
function ownerOf(value: unknown): StatedOwner | undefined | 'unreadable' {
  if (!isRecord(value)) return undefined
  const user = value['user_id'] ?? value['userId'] ?? value['agent_id'] ?? value['agentId'] ?? undefined
  const project = value['app_id'] ?? value['appId'] ?? undefined
  return ownerOfLine({ ...(user === undefined ? {} : { user }), ...(project === undefined ? {} : { project }) })
}

function detailsOf(read: Mem0Memory): Readonly<Record<string, string>> {
  const details = {
    importedFrom: mem0Session,
    agent: read.agent_id ?? read.agentId,
    actor: read.actor_id,
    expires: read.expiration_date ?? read.expirationDate,
    categories: read.categories?.length === 0 ? undefined : read.categories?.join(', '),
  }
  return Object.fromEntries(Object.entries(details).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The owners that the memories of a file name. Edges name none: they are known to be somebody's only where all is one owner's. */
class Owners {
  readonly #keys = new Set<string>()
  #first: StatedOwner | undefined

  met(owner: StatedOwner | undefined): void {
    if (this.#keys.size === 0) this.#first = owner
    if (this.#keys.size < 2) this.#keys.add(JSON.stringify([owner?.project, owner?.user]))
  }

  get areSeveral(): boolean {
    return this.#keys.size > 1
  }

  get only(): StatedOwner | undefined {
    return this.areSeveral ? undefined : this.#first
  }
}

function edgeOf(value: unknown): string | undefined {
  const parsed = relation.safeParse(value)
  if (!parsed.success) return undefined
  const { source, relationship, relation: kind, target, destination } = parsed.data
  const [by, to] = [relationship ?? kind, target ?? destination]
  return by === undefined || to === undefined ? undefined : [source, by, to].map(inWords).join(' ')
}

/** Parts the words of a name such as `works_at`, so that each is found. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}

function* edgeItems(edges: readonly string[], owners: Owners): Generator<ImportItem> {
  if (owners.areSeveral) {
    yield { kind: 'skipped', reason: 'of one of several accounts', count: edges.length }
    return
  }
  for (const content of edges) {
    const metadata = { importedFrom: mem0Session }
    const id = `relation-${hash(content)}`
    const message = { role: 'tool', origin: 'tool', name: mem0Session, content, id, metadata } as const
    yield { kind: 'message', session: mem0Session, owner: owners.only, message }
  }
}

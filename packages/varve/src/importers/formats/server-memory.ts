import * as z from 'zod'
import type { ImportItem, ImportSource } from '../importer.ts'
import { atLine, looseValues } from '../loose-values.ts'
import { hash } from '../text.ts'
import { inWords } from './mem0.ts'
import { parsedArguments } from './tool-parts.ts'
import { isRecord } from './values.ts'

const name = z.string().min(1)
const entity = z.object({ name, entityType: z.string().catch(''), observations: z.array(z.unknown()) })
const relation = z.object({ from: name, to: name, relationType: name })

/** The lists of a graph. */
const graphLists: readonly string[] = ['entities', 'relations']

/** The session of a graph, and the name of its speaker. */
const session = 'server-memory'

/**
 * Reads the `memory.jsonl` of MCP's server-memory, or what its `read_graph` gives. Each observation and each relation
 * becomes a message of the origin `tool`: an agent wrote them.
 */
export async function* readServerMemory(source: ImportSource): AsyncGenerator<ImportItem> {
  for await (const item of looseValues(source, graphLists)) {
    if (item.kind !== 'value') yield item
    else yield* atLine(valueItems(item.value, item.list), item.line)
  }
}

function* valueItems(value: unknown, list: string): Generator<ImportItem> {
  const graph = graphOf(value)
  if (isOf('relation', 'relations', list, value)) yield* relationItems(value)
  else if (isOf('entity', 'entities', list, value)) yield* entityItems(value)
  else if (graph === undefined) yield { kind: 'skipped', reason: 'unknown line' }
  else {
    for (const one of graphLists) {
      const inner = graph[one]
      if (Array.isArray(inner)) for (const each of inner) yield* valueItems(each, one)
    }
  }
}

/** How deep a graph lies in an answer: the answer, its content, and the JSON of a text in it. */
const mostLevels = 3

/** Finds the graph in what `read_graph` answers over MCP: in its structured content, or as JSON in its text. */
function graphOf(value: unknown, levels = mostLevels): Readonly<Record<string, unknown>> | undefined {
  if (levels === 0 || !isRecord(value)) return undefined
  if (graphLists.some((list) => Array.isArray(value[list]))) return value
  const { structuredContent, content, text } = value
  const [first]: readonly unknown[] = Array.isArray(content) ? content : []
  const inner = [structuredContent, typeof text === 'string' ? parsedArguments(text) : undefined, first]
  return inner.map((one) => graphOf(one, levels - 1)).find((graph) => graph !== undefined)
}

/** Tells whether a value is of a type: by its list, or by its own word where it stands in a line. */
function isOf(type: string, inList: string, list: string, value: unknown): boolean {
  return list === '' ? isRecord(value) && value['type'] === type : list === inList
}

function* entityItems(value: unknown): Generator<ImportItem> {
  const parsed = entity.safeParse(value)
  if (!parsed.success) {
    yield { kind: 'skipped', reason: 'not a memory' }
    return
  }
  const { name: of, entityType, observations } = parsed.data
  const shown = entityType === '' ? inWords(of) : `${inWords(of)} (${inWords(entityType)})`
  const about = { entity: of, ...(entityType === '' ? {} : { entityType }) }
  // An entity without an observation is a name and a type. With one, both stand before it.
  if (observations.length === 0) yield noted(shown, `entity-${hash(of)}`, about)
  for (const one of observations) {
    if (typeof one !== 'string') yield { kind: 'skipped', reason: 'not a memory' }
    else if (one.trim() === '') yield { kind: 'skipped', reason: 'empty content' }
    else yield noted(`${shown}: ${one}`, `observation-${hash(of, one)}`, about)
  }
}

function* relationItems(value: unknown): Generator<ImportItem> {
  const parsed = relation.safeParse(value)
  if (!parsed.success) {
    yield { kind: 'skipped', reason: 'not a memory' }
    return
  }
  const { from, to, relationType } = parsed.data
  const id = `relation-${hash(from, relationType, to)}`
  yield noted([from, relationType, to].map(inWords).join(' '), id, { from, relation: relationType, to })
}

function noted(content: string, id: string, about: Readonly<Record<string, string>>): ImportItem {
  const metadata = { importedFrom: session, ...about }
  return { kind: 'message', session, message: { role: 'tool', origin: 'tool', name: session, content, id, metadata } }
}

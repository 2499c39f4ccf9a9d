import * as z from 'zod'
import type { VarveError } from '../errors/varve-error.ts'
import { messageWithoutPlace } from '../errors/without-place.ts'
import type { Metadata } from '../messages/message.ts'
import { hitKinds, type Recalled } from '../recall/hit.ts'
import { recallRequest, type CheckedSearch } from '../recall/request.ts'
import { between, moment, oneOf, onlySession, text, typed, until, whole } from './fields.ts'
import type { CallOptions } from './call-options.ts'
import type { PartitionMeans } from './means.ts'

const isValue = (value: unknown): value is Metadata[string] =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

const metadata = () =>
  typed(
    'Metadata',
    z.record(
      z.string(),
      z.custom<Metadata[string]>(isValue, { error: 'flat: each value a string, finite number, boolean or null' }).meta({}),
      { error: 'an object of values that must be equal' },
    ),
  )

const kinds = () => {
  const error = `a list of: ${hitKinds.join(', ')}`
  return typed('readonly HitKind[]', z.array(oneOf(hitKinds), { error }).min(1, { error }))
}

/** Makes the fields of every search: the question, and the bounds that narrow it. */
export const searchFields = (usual: number) => ({
  query: text().describe('The question, in words: it has no syntax.'),
  limit: whole(1, 1_000).default(usual).describe(`The most hits. Default ${usual}.`),
  // An undefined filter is no filter.
  session: onlySession().optional().describe('Only this session.'),
  excludeSession: onlySession().optional().describe('All sessions but this one.'),
  from: moment().optional().describe('Said at this time or later.'),
  to: until().optional().describe('Said at this time or earlier; a bare day means its end.'),
  metadata: metadata().optional().describe('Only messages whose metadata has all of these values.'),
  minScore: between(0, 1).default(0).describe('Leaves out hits below this score, which compares the hits of one question. Default 0.'),
  halfLifeDays: between(0.001, 100_000).optional().describe('A hit that was said this many days ago has half of its score.'),
  neighbours: whole(0, 20).default(0).describe('Messages before and after each hit; they never count as hits. Default 0.'),
})

export const minConfidenceField = () =>
  between(0, 1)
    .optional()
    .describe('Leaves out all messages of an answer below this confidence; 0 keeps them. Default: where it is almost surely nothing.')

export const kindsField = () =>
  kinds()
    .transform((given) => hitKinds.filter((kind) => given.includes(kind)))
    .optional()
    .describe('Kinds of memory to search. Default: messages.')

/** Recalls in a partition. */
export async function recalled(
  { engine, clock, questions, partition, shown }: PartitionMeans,
  input: CheckedSearch,
  { deadlineMs }: CallOptions,
): Promise<Recalled> {
  const request = recallRequest(input, clock.now())
  const { vector, degraded } = await questions.of(partition, request.query, deadlineMs)
  const { found, epochs } = await engine.read('recall.hits', partition, request, vector)
  shown.add(partition, epochs, found.hits)
  return withDegraded(found, degraded)
}

export function withDegraded<Result extends { readonly degraded: readonly string[] }>(result: Result, degraded: readonly string[]): Result {
  return degraded.length === 0 ? result : { ...result, degraded: [...degraded, ...result.degraded] }
}

/** Makes the answer when the store gives none: no hits, and the reason. */
export function unanswered(operation: string): (error: VarveError) => { hits: []; degraded: string[] } {
  return (error) => ({ hits: [], degraded: [`${operation} failed: ${messageWithoutPlace(error)}`] })
}

export function recallTold({ observer, who }: PartitionMeans, _input: unknown, { hits }: Recalled, ms: number): void {
  observer.count('recalls')
  observer.emit({ type: 'recalled', ...who, hits: hits.length, ms })
}

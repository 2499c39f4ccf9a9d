import { context, type Context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { VarveError } from '../errors/varve-error.ts'
import type { Whose } from './caller.ts'
import type { Route } from './routes.ts'

/** OpenTelemetry's names for work on a memory (semantic conventions for generative AI, `gen_ai.operation.name`). */
const named: Readonly<Record<string, string>> = {
  append: 'create_memory',
  replace: 'update_memory',
  recall: 'search_memory',
  context: 'search_memory',
  forget: 'delete_memory',
  'projects.create': 'create_memory_store',
  'projects.delete': 'delete_memory_store',
}

/** Last words of an operation's name: `facts.recall` searches as `recall` does. */
const byLastWord: Readonly<Record<string, string>> = {
  recall: 'search_memory',
  search: 'search_memory',
  recollect: 'search_memory',
  query: 'search_memory',
  around: 'search_memory',
  add: 'create_memory',
  append: 'update_memory',
  set: 'upsert_memory',
  write: 'upsert_memory',
  edit: 'update_memory',
  correct: 'update_memory',
  delete: 'delete_memory',
  retract: 'delete_memory',
  withdraw: 'delete_memory',
}

/** Gives OpenTelemetry's name of an operation; undefined where it has none. */
export function genAiName(operation: string): string | undefined {
  return named[operation] ?? (operation.includes('settings') ? undefined : byLastWord[operation.split('.').at(-1) ?? ''])
}

const headersGetter = {
  keys: (headers: Headers): string[] => [...headers.keys()],
  get: (headers: Headers, name: string): string | undefined => headers.get(name) ?? undefined,
}

/** Gives the context that a request belongs to: the host's own span of it, or else the caller's, where a host reads such headers. */
function contextOf(headers: Headers): Context {
  const active = context.active()
  return trace.getSpan(active) === undefined ? propagation.extract(active, headers, headersGetter) : active
}

/**
 * Runs an operation in a span, for a host that records spans; without one it costs next to nothing. A span has the
 * names of the operation and the project, counts, and the code of an error. It never has a text, a query or a user.
 */
export function spanned<Output>({ operation }: Route, { project }: Whose, headers: Headers, run: () => Promise<Output>): Promise<Output> {
  const name = genAiName(operation.name)
  const attributes = {
    'varve.operation': operation.name,
    ...(name === undefined ? {} : { 'gen_ai.operation.name': name }),
    ...(project === undefined ? {} : { 'gen_ai.memory.store.id': project }),
  }
  const options = { kind: SpanKind.INTERNAL, attributes }
  // Asked for at each call: a tracer from before the host's own copy of the API was set up would never record.
  const tracer = trace.getTracer('varve')
  return tracer.startActiveSpan(name ?? `varve ${operation.name}`, options, contextOf(headers), async (span) => {
    try {
      const output = await run()
      countRecords(span, output)
      return output
    } catch (error) {
      span.setAttribute('error.type', VarveError.is(error) ? error.code : 'unknown')
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Counts the records of an answer: of a list, of what was found or stored. */
function countRecords(span: Span, output: unknown): void {
  if (!span.isRecording() || typeof output !== 'object' || output === null) return
  const records: unknown = Array.isArray(output) ? output : (Reflect.get(output, 'hits') ?? Reflect.get(output, 'messages'))
  if (Array.isArray(records)) span.setAttribute('gen_ai.memory.record.count', records.length)
}

import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { InvalidOption } from '../errors/invalid-option.ts'
import { InvalidRequest } from '../errors/invalid-request.ts'
import { shown } from '../errors/shown.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { Memory } from '../memory/memory.ts'
import type { FieldSchemas } from '../operations/field-schema.ts'
import type { List } from '../operations/list.ts'
import type { Caller, CallerAct, Doorkeeper, Whose } from './caller.ts'
import type { ErasureWatch } from './erasure-watch.ts'
import type { IdempotentReplies } from './idempotent-replies.ts'
import { statusFor } from './problem.ts'
import { bodyPieces, bodyText, refuseType } from './read-body.ts'
import { parsedJson, queryFields, schemasOfFields } from './read-fields.ts'
import { jsonReply, type Reply, streamReply } from './reply.ts'
import { actOf } from '../operations/rights.ts'
import { anonymousUser } from '../keys/reach.ts'
import type { Route } from './routes.ts'
import { spanned } from './spans.ts'

/** The means of every request. */
export interface RouteMeans {
  readonly memory: Memory
  readonly doorkeeper: Doorkeeper
  readonly replies: IdempotentReplies
  /** The most bytes of a body of JSON, and of the lines of an import. */
  readonly maxBodyBytes: number
  readonly maxImportBytes: number
  /** The deadline of a read that names none: milliseconds. */
  readonly readDeadlineMs: number
  /** Drops what this process holds of memory, after something was erased. */
  readonly erasures: ErasureWatch
}

/** A request, as it came. */
export interface Asked {
  readonly request: Request
  readonly incoming: IncomingMessage | undefined
  readonly requestId: string
  /** The path as it was sent. */
  readonly path: string
}

type Values = Readonly<Record<string, unknown>>

/** Answers a request of a route: who asks, whether they may, what they ask, then the operation. */
export async function answered(means: RouteMeans, route: Route, names: readonly string[], asked: Asked): Promise<Reply> {
  const { doorkeeper } = means
  const caller = await doorkeeper.admit(asked.request)
  const { whose, placed } = placesOf(route, names)
  let act: Omit<CallerAct, 'status' | 'output'> = { caller, operation: route.operation, whose, requestId: asked.requestId, fields: {} }
  try {
    doorkeeper.allow(caller, route, whose)
    const { fields, body } = await fieldsOf(means, route, asked, placed)
    const claimed = doorkeeper.claimed(caller, route, whose, fields)
    act = { ...act, fields: claimed }
    const key = asked.request.headers.get('idempotency-key')
    const repeatable = { ...claimed, ...storedKey(route, caller, key, claimed) }
    let erased = 0
    const run = async (): Promise<Reply> => {
      const { reply, output } = await ran(means, route, asked, { whose, fields: repeatable })
      erased = erasuresBy(route, output)
      if (erased > 0) await means.erasures.tryLook()
      await doorkeeper.note({ ...act, status: reply.status, output })
      return reply
    }
    // The answer of a new key has its text, which is shown once.
    if (key === null || route.operation.kind === 'read' || body === undefined || actOf(route.operation) === 'keys') return await run()
    const { url, headers } = asked.request
    const request = [route.verb, url, headers.get('if-match') ?? '', body]
    const { project = '', user = '' } = whose
    const how = { erased: () => erased, isStored: Object.hasOwn(repeatable, 'idempotencyKey') }
    return await means.replies.once({ caller: caller.key.id, key, project, user, request, ...how }, run)
  } catch (error) {
    if (VarveError.is(error)) await doorkeeper.note({ ...act, status: statusFor(error, asked.request), output: undefined })
    throw error
  }
}

/**
 * Gives the erasures after which a call's answer is still good. Beside the receipt of its own, an answer may have words that
 * another erasure takes: of a replaced message, or the title of a session that is shared no more. A receipt has no words.
 */
function erasuresBy({ operation }: Route, output: unknown): number {
  const { receipt }: { readonly receipt?: unknown } = Object(output)
  if (receipt !== undefined) return 1
  return actOf(operation) === 'forget' || operation.output === 'Receipt' ? Number.POSITIVE_INFINITY : 0
}

/**
 * Hands a request's key on to an operation that stores it: then it counts in every process, and after a restart. Two
 * callers may use the same key.
 */
function storedKey({ operation }: Route, { key: { id } }: Caller, key: string | null, fields: Values): object {
  const takesKey = Object.hasOwn(schemasOfFields(operation), 'idempotencyKey')
  if (key === null || !takesKey || Object.hasOwn(fields, 'idempotencyKey')) return {}
  return {
    idempotencyKey: createHash('sha256')
      .update(JSON.stringify([id, key]))
      .digest('base64url'),
  }
}

/** A segment for a value that no path can hold, such as `..`: it stands in the query or the body. */
const saidElsewhere = '\0'

/** Tells the names of a path apart: whose memory it is, and the fields of the operation. */
function placesOf({ on, places }: Route, names: readonly string[]): { readonly whose: Whose; readonly placed: Values } {
  const [project = '', user = ''] = names
  const whose = on === 'memory' ? {} : on === 'shared' ? { project } : { project, user }
  const own = names.slice(names.length - places.length)
  const placed = places.flatMap((place, at) => (own[at] === saidElsewhere ? [] : [[place, own[at]] as const]))
  return { whose, placed: Object.fromEntries(placed) }
}

/** Reads the fields of a request, and its body where it has a text. The query has a text for each, or all as JSON in `fields`. */
async function fieldsOf(
  { maxBodyBytes, maxImportBytes }: RouteMeans,
  { operation, verb }: Route,
  { request, incoming }: Asked,
  placed: Values,
): Promise<{ readonly fields: Values; readonly body: string | undefined }> {
  const properties = schemasOfFields(operation)
  const query = fieldsOfQuery(request.url, properties)
  if (Object.hasOwn(properties, 'lines')) {
    refuseType(request, ['application/jsonl', 'application/x-ndjson', 'text/plain', 'application/octet-stream'])
    const lines = bodyPieces({ request, incoming }, maxImportBytes)
    return { fields: merged(merged(query, { lines }), placed), body: undefined }
  }
  if (verb === 'GET') return { fields: merged(query, placed), body: '' }
  const body = await bodyText({ request, incoming }, maxBodyBytes)
  return { fields: merged(merged(query, bodyFields(request, body)), placed), body }
}

function fieldsOfQuery(url: string, properties: FieldSchemas): Values {
  const at = url.indexOf('?')
  if (at < 0) return {}
  const params = new URLSearchParams(url.slice(at))
  const [typed = '{}', ...more] = params.getAll('fields')
  if (more.length > 0) throw new InvalidRequest({ status: 400, reason: 'the field fields stands twice' })
  params.delete('fields')
  return merged(queryFields(params, { ...properties, deadlineMs: { type: 'integer' } }), objectOf(typed, 'the field fields'))
}

function bodyFields(request: Request, body: string): object {
  if (body === '') return {}
  refuseType(request, ['application/json'])
  return objectOf(body, 'its body')
}

function objectOf(text: string, what: string): object {
  const parsed = parsedJson(text, what)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new InvalidRequest({ status: 400, reason: `${what} must be an object of JSON, not ${shown(parsed)}` })
  return parsed
}

/** Joins fields of two places. A field that stands in both could mean two things. */
function merged(some: object, others: object): Values {
  const twice = Object.keys(others).find((name) => Object.hasOwn(some, name))
  if (twice !== undefined)
    throw new InvalidOption({
      option: twice,
      received: shown(Reflect.get(some, twice)),
      expected: 'said once, in the path, the query or the body',
    })
  return { ...some, ...others }
}

interface Told {
  readonly whose: Whose
  readonly fields: Values
}

async function ran(means: RouteMeans, route: Route, asked: Asked, { whose, fields }: Told): Promise<{ reply: Reply; output: unknown }> {
  const { request } = asked
  const { operation } = route
  const options = callOptions(means, route, asked, fields)
  const call = (given: object): Promise<unknown> => callsOf(means.memory, route, whose, given)
  const output = await spanned(route, whose, request.headers, () => call(options))
  const reply = wantsLines(route, request)
    ? streamReply(itemLines(output, (cursor) => call({ ...options, cursor })))
    : isPieces(output)
      ? streamReply(output)
      : jsonReply(output, operation.kind === 'read' ? request.headers.get('if-none-match') : null)
  return { reply, output }
}

/** Adds the options of every call, and what `If-Match` expects. A write goes on when its caller goes. */
function callOptions({ readDeadlineMs }: RouteMeans, { operation }: Route, { request }: Asked, fields: Values): Values {
  const matching = expectedMark(operation, request)
  const deadlineMs = Object.hasOwn(fields, 'deadlineMs') || operation.kind === 'write' ? {} : { deadlineMs: readDeadlineMs }
  const signal = operation.kind === 'write' ? {} : { signal: request.signal }
  return { ...merged(fields, matching), ...deadlineMs, ...signal }
}

/** Reads the revision or the version that `If-Match` names: an ETag, or its part before the dot. */
function expectedMark(operation: Route['operation'], { headers }: Request): object {
  const { expects: field } = operation
  const tag = headers.get('if-match')
  if (tag === null) return {}
  if (field === undefined) throw new InvalidRequest({ status: 400, reason: 'If-Match has no meaning here: this edit replaces nothing' })
  const isNumber = schemasOfFields(operation)[field]?.type === 'integer'
  const [, mark] = (isNumber ? /^"(\d{1,15})(?:\.[\w-]{1,64})?"$/ : /^"([\w-]{1,64})(?:\.[\w-]{1,64})?"$/).exec(tag) ?? []
  if (mark === undefined) throw new InvalidRequest({ status: 400, reason: 'If-Match must be the ETag of an earlier answer' })
  return { [field]: isNumber ? Number(mark) : mark }
}

function callsOf(memory: Memory, { on, operation }: Route, { project = '', user = '' }: Whose, options: object): Promise<unknown> {
  if (on === 'memory') return memory.callsForStore().call(operation, {}, options)
  if (on === 'shared') return memory.callsForShared(project).call(operation, {}, options)
  return memory.callsFor(user === anonymousUser ? { project } : { project, user }).call(operation, {}, options)
}

function isPieces(output: unknown): output is AsyncIterable<string> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output
}

/** Tells whether the caller asks for a whole list as lines, an item each. */
function wantsLines({ operation }: Route, { headers }: Request): boolean {
  return operation.output.startsWith('List<') && (headers.get('accept') ?? '').includes('application/jsonl')
}

/** Yields the items of a list, a line each, through all of its pages. */
async function* itemLines(first: unknown, next: (cursor: string) => Promise<unknown>): AsyncGenerator<string, void> {
  for (let page = first; isList(page);) {
    for (const item of page) yield `${JSON.stringify(item)}\n`
    if (page.cursor === undefined) return
    page = await next(page.cursor)
  }
}

function isList(output: unknown): output is List<unknown> {
  return Array.isArray(output)
}

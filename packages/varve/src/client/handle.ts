import { type List, listing } from '../operations/list.ts'
import { givenCall, type GivenCall, placedFields } from './call-fields.ts'
import { type CallSpec, specsOf } from './call-table.ts'
import type { ServerConnection } from './connection.ts'
import { exchanged, longestWriteMs, type Outgoing, underWay } from './exchange.ts'
import { failsOpen, openAnswer } from './fails-open.ts'
import { importBody } from './import-body.ts'
import { exportedLines } from './lines.ts'
import { randomHex } from './random-hex.ts'
import { isAway, unreachable } from './remote-error.ts'

type Method = (...given: readonly unknown[]) => unknown

/** Makes the methods of a handle. `base` is the path of its owner. */
export function methodsOf(connection: ServerConnection, base: string, property: string, lines: string): Readonly<Record<string, Method>> {
  return Object.fromEntries(specsOf(property, lines).map((spec) => [spec.method, methodOf(connection, base, spec)]))
}

function methodOf(connection: ServerConnection, base: string, spec: CallSpec): Method {
  if (spec.name === 'export')
    return (...given) => exportedLines(connection, () => requestOf(connection, base, spec, givenCall(spec, given)))
  if (!spec.pages) return async (...given) => called(connection, base, spec, givenCall(spec, given))
  return (...given) => {
    const page = async (cursor?: string): Promise<List<unknown>> => {
      const call = givenCall(spec, given)
      const next = cursor === undefined ? call : { ...call, fields: { ...call.fields, cursor } }
      const answer = await called(connection, base, spec, next)
      if (isList(answer)) return answer
      throw unreachable('its answer is no list')
    }
    return listing(page(), page)
  }
}

async function called(connection: ServerConnection, base: string, spec: CallSpec, call: GivenCall): Promise<unknown> {
  const request = requestOf(connection, base, spec, call)
  const asked = (after?: Promise<unknown>): Promise<unknown> =>
    underWay(connection, () => exchanged(connection, { ...request, ...(after === undefined ? {} : { after }) }, answerIn))
  if (spec.name === 'import') return imported(connection, request, call)
  if (spec.name === 'append') return inOrder(connection.appends, request.address, asked)
  if (!failsOpen(spec.name)) return asked()
  try {
    const answer = await asked()
    return spec.name === 'compact' ? ownMessages(answer, call.fields['messages']) : answer
  } catch (error) {
    if (!isAway(error)) throw error
    connection.warn(error.code, error.message)
    return openAnswer(spec.name, error, call.fields)
  }
}

function requestOf({ timeoutMs, questionMs, retries }: ServerConnection, base: string, spec: CallSpec, call: GivenCall): Outgoing {
  const { path, query, body } = placedFields(spec, call)
  const { signal, deadlineMs } = call
  const usualMs = failsOpen(spec.name) ? questionMs : spec.reads ? timeoutMs : longestWriteMs
  return {
    operation: spec.name,
    verb: spec.verb,
    address: `${base}${path}${query}`,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(spec.reads ? {} : { 'idempotency-key': randomHex() }),
    },
    body,
    signal,
    // The server refuses a deadline that is none.
    limitMs: typeof deadlineMs === 'number' && deadlineMs >= 1 && deadlineMs < 2 ** 31 ? deadlineMs : usualMs,
    retries: failsOpen(spec.name) ? Math.min(retries, 1) : retries,
  }
}

/** Sends the lines of an export, once: they may come from a stream. */
async function imported(connection: ServerConnection, request: Outgoing, { fields }: GivenCall): Promise<unknown> {
  const { body, fault } = await importBody(fields['lines'])
  const headers = { ...request.headers, 'content-type': 'application/jsonl' }
  try {
    return await underWay(connection, () => exchanged(connection, { ...request, headers, body, retries: 0 }, answerIn))
  } catch (error) {
    throw fault() ?? error
  }
}

function isList(answer: unknown): answer is List<unknown> {
  return Array.isArray(answer)
}

/** Reads an answer. A list is an array with what else its answer says, such as the place of the next page. */
async function answerIn(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  const answer = parsed(text)
  const { items, ...more }: Readonly<Record<string, unknown>> = Object(answer)
  return Array.isArray(items) ? Object.assign(items, more) : answer
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unreachable('its answer is no JSON', cause)
  }
}

/** Puts the host's own objects in the place of those that were sent and came back. */
function ownMessages(answer: unknown, messages: unknown): unknown {
  if (!Array.isArray(answer) || !Array.isArray(messages)) return answer
  const places: unknown = Reflect.get(answer, 'places')
  return answer.map((message: unknown, at) => {
    const place: unknown = Reflect.get(Object(places), at)
    return typeof place === 'number' ? messages[place] : message
  })
}

/** Makes a call that is sent after the one before it of the same name: messages keep the order in which they were given. */
function inOrder<Answer>(
  last: Map<string, Promise<unknown>>,
  name: string,
  call: (before: Promise<unknown> | undefined) => Promise<Answer>,
): Promise<Answer> {
  const before = last.get(name)
  const made = call(before)
  // One that gives up while it waits lets none pass those before it.
  const all = Promise.allSettled([before, made])
  last.set(name, all)
  void all.then(() => last.get(name) === all && last.delete(name))
  return made
}

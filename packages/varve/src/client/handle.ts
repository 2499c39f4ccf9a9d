import { type List, listing } from '../operations/list.ts'
import { type CallFields, givenCall, placedFields } from './call-fields.ts'
import type { CallSpec } from './call-table.ts'
import type { ServerConnection } from './connection.ts'
import { exchanged, jsonIn, type Outgoing } from './exchange.ts'
import { exportedLines } from './exported-lines.ts'
import { openAnswers } from './fails-open.ts'
import { importBody } from './import-body.ts'
import { randomText } from './random-text.ts'
import { isAway, unreachable } from './remote-error.ts'

type Method = (...given: readonly unknown[]) => unknown

/** The longest wait for a write that names no `deadlineMs`. Node's own `fetch` gives up after 300 seconds, with a worse error. */
const longestWriteMs = 290_000

/** Makes a method of a handle. `base` is the path of its owner. */
export function methodOf(connection: ServerConnection, base: string, spec: CallSpec): Method {
  const asked = (given: readonly unknown[], cursor?: string): AskedCall => askedCall(connection, base, spec, given, cursor)
  if (spec.name === 'export') return (...given) => exportedLines(connection, () => asked(given))
  if (!spec.pages) return async (...given) => called(connection, asked(given))
  return (...given) => {
    const page = async (cursor?: string): Promise<List<unknown>> => Object(await called(connection, asked(given, cursor)))
    return listing(page(), page)
  }
}

/** A call as it is sent, and its fields. */
interface AskedCall extends Outgoing {
  readonly fields: CallFields
}

function askedCall(
  { timeoutMs, questionMs, retries }: ServerConnection,
  base: string,
  spec: CallSpec,
  given: readonly unknown[],
  cursor?: string,
): AskedCall {
  const { name: operation, verb, reads } = spec
  const { signal, deadlineMs, ...others } = givenCall(spec, given)
  const fields = cursor === undefined ? others : { ...others, cursor }
  const { address, body } = placedFields(spec, { ...fields, deadlineMs })
  const isQuestion = operation in openAnswers
  const usualMs = isQuestion ? questionMs : reads ? timeoutMs : longestWriteMs
  return {
    ...{ operation, verb, address: base + address, body, signal, fields },
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(reads ? {} : { 'idempotency-key': randomText() }),
    },
    // The server refuses a deadline that is none.
    limitMs: typeof deadlineMs === 'number' && deadlineMs >= 1 && deadlineMs < 2 ** 31 ? deadlineMs : usualMs,
    retries: isQuestion ? Math.min(retries, 1) : retries,
  }
}

async function called(connection: ServerConnection, asked: AskedCall): Promise<unknown> {
  const { operation, fields, headers } = asked
  const sent = (more?: Partial<Outgoing>): Promise<unknown> => exchanged(connection, { ...asked, ...more }, answerIn)
  if (operation === 'append') return inOrder(connection.appends, asked.address, (after) => sent({ after }))
  if (operation === 'import') {
    // It is sent once: its lines may come from a stream.
    const { body, told } = await importBody(fields['lines'])
    return sent({ headers: { ...headers, 'content-type': 'application/jsonl' }, body, retries: 0 }).catch((error: unknown) => {
      throw told.fault ?? error
    })
  }
  try {
    const answer = await sent()
    return operation === 'compact' ? ownMessages(answer, fields['messages']) : answer
  } catch (error) {
    const open = openAnswers[operation]
    if (open === undefined || !isAway(error)) throw error
    connection.warn(error.code, error.message)
    return open(error.message, fields)
  }
}

/** Reads an answer. A list is an array with what else its answer says, such as the place of the next page. */
async function answerIn(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const answer = jsonIn(await response.text())
  if (answer === undefined) throw unreachable('its answer is no JSON')
  const { items, ...more }: Readonly<Record<string, unknown>> = Object(answer)
  return Array.isArray(items) ? Object.assign(items, more) : answer
}

/** Puts the host's own objects in the place of those that were sent and came back. */
function ownMessages(answer: unknown, messages: unknown): unknown {
  const { places }: Readonly<Record<string, unknown>> = Object(answer)
  return Array.isArray(answer) ? answer.map((message: unknown, at) => Object(messages)[Object(places)[at]] ?? message) : answer
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

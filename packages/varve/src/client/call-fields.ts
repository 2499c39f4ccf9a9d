import { shown } from '../errors/shown.ts'
import { reasonToRefuse } from '../scope/name.ts'
import type { CallSpec } from './call-table.ts'
import { queryTexts, queryValues } from './calls.ts'
import { invalidOption, invalidScope, notFound, RemoteError } from './remote-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** A call with its fields. */
export interface GivenCall {
  readonly fields: Fields
  readonly signal: AbortSignal | undefined
  readonly deadlineMs: unknown
}

/** What of a call goes into the address and the body of its request. */
export interface PlacedCall {
  readonly path: string
  readonly query: string
  readonly body: string | undefined
}

const texts = new Set(queryTexts.split(' '))
const values = new Set(queryValues.split(' '))
const callOptions = new Set(['signal', 'deadlineMs'])

/** Joins the arguments of a method: fields by place, an object of all others where it takes one, and the options. */
export function givenCall({ placed, whole }: CallSpec, given: readonly unknown[]): GivenCall {
  const byPlace = Object.fromEntries(placed.flatMap((name, at) => (given[at] === undefined ? [] : [[name, given[at]]])))
  const rest = given.slice(placed.length)
  const named = whole === undefined ? {} : fieldsIn(whole, rest.shift())
  const options = fieldsIn('options', rest[0] === undefined ? {} : rest[0])
  for (const name of Object.keys(options))
    if (placed.includes(name) || (whole !== undefined && !callOptions.has(name))) throw notKnown(name, options)
  for (const name of Object.keys(named)) if (placed.includes(name) || callOptions.has(name)) throw notKnown(name, named)
  const { signal, deadlineMs, ...others } = options
  if (signal !== undefined && !isSignal(signal)) throw invalidOption('signal', shown(signal), 'an AbortSignal')
  return { fields: { ...byPlace, ...named, ...others }, signal, deadlineMs }
}

function isSignal(received: unknown): received is AbortSignal {
  return typeof Reflect.get(Object(received), 'addEventListener') === 'function'
}

function fieldsIn(option: string, received: unknown): Fields {
  if (typeof received !== 'object' || received === null || Array.isArray(received))
    throw invalidOption(option, shown(received), 'an object')
  return { ...received }
}

function notKnown(option: string, options: Fields): Error {
  return invalidOption(option, shown(options[option]), 'left out: it is no option of this call')
}

/** Puts the fields of a call into its path, and the others into the query or the body. */
export function placedFields(spec: CallSpec, { fields, deadlineMs }: GivenCall): PlacedCall {
  const inPath = new Set<string>()
  const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name)
    return encodeURIComponent(segmentOf(spec, name, fields[name]))
  })
  const others = Object.entries({ ...fields, deadlineMs }).filter(([name]) => !inPath.has(name))
  if (spec.verb === 'GET') return { path, query: queryOf(spec, others), body: undefined }
  // Undefined becomes null where it is refused: JSON would leave it out.
  const told = others.map(([name, value]) => [name, value === undefined && spec.exact.includes(name) ? null : value] as const)
  const kept = Object.fromEntries(told.filter(([, value]) => value !== undefined))
  if (spec.name === 'import')
    return {
      path,
      query: queryOf(
        spec,
        others.filter(([name]) => name !== 'lines'),
      ),
      body: undefined,
    }
  return { path, query: '', body: Object.keys(kept).length === 0 ? undefined : jsonOf(kept) }
}

/**
 * Checks a segment of a path. A browser resolves `.` and `..` however they are written, so that they would name another
 * path.
 */
function segmentOf({ name }: CallSpec, field: string, received: unknown): string {
  const reason = reasonToRefuse(received)
  if (field === 'session' || /^(?:sessions|projects)\./.test(name)) {
    if (reason !== undefined) throw invalidScope(name.startsWith('projects') ? 'project' : 'session', shown(received), reason)
  } else if (field === 'id' && (typeof received !== 'string' || received === ''))
    throw notFound(kindOf(name), typeof received === 'string' ? '' : shown(received))
  else if (typeof received !== 'string' || /^\.{0,2}$/.test(received) || !received.isWellFormed())
    throw invalidOption(field, shown(received), `a name, and it ${reason ?? 'is none'}`)
  // Both branches have refused what is no text.
  return String(received)
}

/** Names what a handle holds, as NotFound does: `facts.retract` asks for a fact. */
function kindOf(name: string): string {
  return name.slice(0, name.indexOf('.')).replace(/s$/, '')
}

/** Writes fields as JSON. Refuses a value that JSON would drop or change: a call without it could mean more. */
function jsonOf(fields: Fields): string {
  for (const field of ['what', 'metadata']) refuseOmitted(field, fields[field])
  try {
    return JSON.stringify(fields, (name, value: unknown) => {
      if (typeof value === 'function' || typeof value === 'symbol') throw invalidOption(name, shown(value), asJson)
      return value
    })
  } catch (cause) {
    throw RemoteError.is(cause) ? cause : invalidOption('options', 'a value that cannot', asJson)
  }
}

const asJson = 'written as JSON'

/** Refuses undefined and numbers that are none in a filter: without them it would let more through. */
function refuseOmitted(field: string, filter: unknown): void {
  if (typeof filter !== 'object' || filter === null) return
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined && name === 'session') throw invalidScope(name, 'undefined', 'must be a string')
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
      throw invalidOption(`${field}.${name}`, shown(value), 'given, or left out')
    if (typeof value === 'function') throw invalidOption(`${field}.${name}`, shown(value), asJson)
  }
}

function queryOf({ exact }: CallSpec, fields: readonly (readonly [string, unknown])[]): string {
  const query = new URLSearchParams()
  for (const [name, value] of fields) {
    if (value === undefined && exact.includes(name)) throw invalidScope(name, 'undefined', 'must be a string')
    if (value === undefined) continue
    const isWrong = value === null || (texts.has(name) ? typeof value !== 'string' : values.has(name) && typeof value === 'string')
    if (isWrong) throw invalidOption(name, shown(value), texts.has(name) ? 'a string' : 'a number, or true or false')
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, textOf(one))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Date ? String(value.toJSON()) : (JSON.stringify(value) ?? 'null')
}

import { InvalidOption } from '../errors/invalid-option.ts'
import { InvalidRequest } from '../errors/invalid-request.ts'
import { shown } from '../errors/shown.ts'
import type { FieldSchema, FieldSchemas } from '../operations/field-schema.ts'
import type { AnyOperation } from '../operations/operation.ts'
import { jsonSchemaOf } from '../operations/parse.ts'

const schemas = new WeakMap<object, FieldSchemas>()

/** Gives the schemas of an operation's fields. They are made once: it takes longer than a call. */
export function schemasOfFields(operation: Pick<AnyOperation, 'input'>): FieldSchemas {
  const made = schemas.get(operation) ?? jsonSchemaOf(operation).properties ?? {}
  schemas.set(operation, made)
  return made
}

/** Decodes a segment of a path. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (cause) {
    throw new InvalidRequest({ status: 400, reason: 'a % in the path does not begin two hexadecimal digits of UTF-8' }, { cause })
  }
}

/** Reads the fields of a query by the types of an operation's fields. A field of a list may stand several times. */
export function queryFields(query: URLSearchParams, properties: Readonly<Record<string, FieldSchema>>): Record<string, unknown> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, queryValue(name, query.getAll(name), properties[name] ?? {})]))
}

function queryValue(name: string, texts: readonly string[], field: FieldSchema): unknown {
  if (field.type === 'array') return texts.map((text) => typedValue(name, text, field.items ?? {}))
  if (texts.length > 1) throw new InvalidOption({ option: name, received: shown(texts), expected: 'said once' })
  return typedValue(name, texts[0] ?? '', field)
}

/** Reads a value. A text that does not have the type stays a text: the operation refuses it in its own words. */
function typedValue(name: string, text: string, { type, anyOf }: FieldSchema): unknown {
  const types = new Set([type ?? anyOf?.map((one) => one.type) ?? []].flat(2))
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if ((types.has('number') || types.has('integer')) && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (types.has('object')) return parsedJson(text, `the field ${name}`)
  return text
}

/** Parses JSON that a caller sent. */
export function parsedJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new InvalidRequest({ status: 400, reason: `${what} is no JSON` }, { cause })
  }
}

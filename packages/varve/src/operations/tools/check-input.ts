import { nameLine } from '../../messages/shown-name.ts'
import { refused } from '../fields.ts'
import { given } from './given.ts'

/** The types of JSON Schema: the words for each, and the test of a value. */
const types: Readonly<Record<string, { readonly words: string; readonly has: (value: unknown) => boolean }>> = {
  string: { words: 'a string', has: (value) => typeof value === 'string' },
  boolean: { words: 'true or false', has: (value) => typeof value === 'boolean' },
  integer: { words: 'a whole number', has: Number.isInteger },
  number: { words: 'a number', has: (value) => typeof value === 'number' },
  array: { words: 'a list', has: Array.isArray },
  object: { words: 'an object', has: (value) => typeof value === 'object' && value !== null && !Array.isArray(value) },
}

/** The fields of a tool's input, as JSON schema, and those that it needs. */
interface InputShape {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
}

/**
 * Checks the names of a tool's fields, and the types that its schema gives them. The operations check all else. A model gets
 * words: the field, what came, and what may come.
 */
export function checkInput({ properties, required }: InputShape, input: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(properties)
  for (const [name, value] of Object.entries(input)) {
    if (names.includes(name)) continue
    throw refused(nameLine(name), value, `left out (${names.length === 0 ? 'there are no fields' : `the fields are ${names.join(', ')}`})`)
  }
  const found = given(input)
  for (const name of names) {
    const value = found[name] ?? (required.includes(name) ? input[name] : undefined)
    if (value !== undefined || required.includes(name)) checkType(name, Object(properties[name]), value)
  }
}

function checkType(name: string, { type, items }: { readonly type?: unknown; readonly items?: unknown }, value: unknown): void {
  // Of several types, the operation knows which.
  const known = typeof type === 'string' ? types[type] : undefined
  if (known === undefined) return
  if (!known.has(value)) throw refused(name, value, known.words)
  if (Array.isArray(value)) for (const one of value) checkType(name, Object(items), one)
}

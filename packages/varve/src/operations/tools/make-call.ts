import type { FieldSchema } from '../field-schema.ts'
import type { Fields, Operation } from '../operation.ts'
import { jsonSchemaOf } from '../parse.ts'

/** Makes a handle’s call of an operation. */
export type MakeCall = <Input extends Fields, Output>(operation: Operation<Input, Output>, input: object, call: object) => Promise<Output>

/** The JSON Schema of each operation, made once: a host makes its tools for each turn. Tools hand out copies of it. */
const schemas = new WeakMap<object, FieldSchema>()

/** Gives the JSON Schema of some fields of an operation. */
export function fieldSchemas(operation: Parameters<typeof jsonSchemaOf>[0], names: readonly string[]): Readonly<Record<string, unknown>> {
  const schema = schemas.get(operation) ?? jsonSchemaOf(operation)
  schemas.set(operation, schema)
  const { properties = {} } = schema
  return Object.fromEntries(names.map((name) => [name, properties[name]]))
}

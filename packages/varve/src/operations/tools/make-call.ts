import type { Fields, Operation } from '../operation.ts'
import { jsonSchemaOf } from '../parse.ts'

/** Makes a handle’s call of an operation. */
export type MakeCall = <Input extends Fields, Output>(operation: Operation<Input, Output>, input: object, call: object) => Promise<Output>

/** Gives the JSON Schema of some fields of an operation. */
export function fieldSchemas(operation: Parameters<typeof jsonSchemaOf>[0], names: readonly string[]): Readonly<Record<string, unknown>> {
  const { properties = {} } = jsonSchemaOf(operation)
  return Object.fromEntries(names.map((name) => [name, properties[name]]))
}

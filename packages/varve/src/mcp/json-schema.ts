import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'

type Json = Readonly<Record<string, unknown>>

/** Makes a schema that is shown to clients, and passes every value on: tools check their input where it is used. */
export function shownSchema(json: Json): StandardSchemaWithJSON<Record<string, unknown>, Record<string, unknown>> {
  const copy = (): Record<string, unknown> => structuredClone(json)
  return {
    '~standard': {
      version: 1,
      vendor: 'varve',
      validate: (value) => ({ value: typeof value === 'object' && value !== null ? { ...value } : {} }),
      jsonSchema: { input: copy, output: copy },
    },
  }
}

export const textSchema = { type: 'string' } as const
export const flagSchema = { type: 'boolean' } as const
export const numberSchema = { type: 'number' } as const

/** Makes the schema of an object. Fields that are not named may be absent. */
export function objectSchema(properties: Json, required: readonly string[] = []): Json {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

export function listSchema(items: Json): Json {
  return { type: 'array', items }
}

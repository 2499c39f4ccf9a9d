/** The keywords of JSON Schema that tell the type of a field. */
export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly items?: FieldSchema
  readonly anyOf?: readonly FieldSchema[]
  readonly properties?: FieldSchemas
  readonly required?: readonly string[]
  readonly additionalProperties?: FieldSchema | boolean
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** The fields of an operation by name, or of an object in one of them. */
export type FieldSchemas = Readonly<Record<string, FieldSchema>>

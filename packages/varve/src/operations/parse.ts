import * as z from 'zod'
import { InvalidOption } from '../errors/invalid-option.ts'
import { VarveError } from '../errors/varve-error.ts'
import { shown } from '../errors/shown.ts'
import type { FieldSchema } from './field-schema.ts'
import { between, givenFields, record } from './fields.ts'
import type { CallOptions } from './call-options.ts'
import type { AnyOperation, Checked, Fields, OperationOf } from './operation.ts'

const longestDeadlineMs = 2_147_483_647

/** Makes the fields that every operation has beside its own. */
const callFields = () => ({
  signal: z
    .custom<AbortSignal>((received) => typeof Reflect.get(Object(received), 'addEventListener') === 'function', { error: 'an AbortSignal' })
    .optional(),
  deadlineMs: between(1, longestDeadlineMs).optional(),
})

interface InputSchemas<Input extends Fields> {
  readonly own: z.ZodObject<Input>
  readonly call: z.ZodObject<ReturnType<typeof callFields>>
}

const schemas = new WeakMap<object, InputSchemas<Fields>>()
const callNames: ReadonlySet<string> = new Set(['signal', 'deadlineMs'])

function schemasOf<Input extends Fields>(operation: Pick<OperationOf<never, Input, unknown>, 'input'>): InputSchemas<Input> {
  const known = schemas.get(operation)
  const made = known ?? { own: record(operation.input(), [...callNames]), call: record(callFields()) }
  if (known === undefined) schemas.set(operation, made)
  // The schemas that are kept under an operation were made of its fields.
  return made as InputSchemas<Input>
}

/**
 * Gives the JSON Schema (draft 2020-12) of an operation's input, without the options that every call takes. `override`
 * may add keywords to the schema of a field.
 */
export function jsonSchemaOf(
  operation: Pick<AnyOperation, 'input'>,
  override: z.core.ToJSONSchemaParams['override'] = undefined,
): FieldSchema {
  const options = { io: 'input', unrepresentable: 'any', ...(override === undefined ? {} : { override }) } as const
  const { $schema: _, ...schema }: Readonly<Record<string, unknown>> = z.toJSONSchema(schemasOf(operation).own, options)
  return schema
}

/** Checks a call; gives its input and its options. InvalidOption names the field, the received value, and the expected one. */
export function parseInput<Input extends Fields>(
  operation: Pick<OperationOf<never, Input, unknown>, 'input'>,
  given: object,
): { readonly input: Checked<Input>; readonly call: CallOptions } {
  const { own, call } = schemasOf(operation)
  const mine = Object.entries(givenFields('options', given))
  const options = call.safeParse(Object.fromEntries(mine.filter(([name]) => callNames.has(name))))
  if (!options.success) throw refusal(options.error.issues[0], given)
  const input = own.safeParse(Object.fromEntries(mine.filter(([name]) => !callNames.has(name))))
  if (!input.success) throw refusal(input.error.issues[0], given)
  return { input: input.data, call: options.data }
}

/** Turns the first problem that zod found into one of Varve's errors. */
function refusal(issue: z.core.$ZodIssue | undefined, received: object): VarveError {
  const thrown: unknown = issue?.code === 'custom' ? issue.params?.['error'] : undefined
  if (VarveError.is(thrown)) return thrown
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : (issue?.path ?? [])
  const value = path.reduce<unknown>((inside, key) => Reflect.get(Object(inside), key), received)
  // A field that its room checks has no words of its own for its absence.
  const isAbsent = issue?.code === 'invalid_type' && issue.expected === 'nonoptional'
  return new InvalidOption({ option: placeOf(path), received: shown(value), expected: isAbsent ? 'given' : (issue?.message ?? 'valid') })
}

/** Formats the path of a field: `settings.notes.template[1].heading`. */
function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return place.slice(1) || 'options'
}

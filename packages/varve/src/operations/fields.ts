import * as z from 'zod'
import { InvalidOption } from '../errors/invalid-option.ts'
import { VarveError } from '../errors/varve-error.ts'
import { milliseconds } from '../messages/time.ts'
import { shown, validName } from '../scope/name.ts'
import { type ProjectName, projectName, type SessionName, sessionName } from '../scope/partition.ts'

/** Types of fields in TypeScript, where JSON Schema says less. */
export const typeNames = z.registry<{ readonly typeName: string }>()

/** A field of a type that is declared elsewhere. */
export function typed<Schema extends z.ZodType>(typeName: string, schema: Schema): Schema {
  typeNames.add(schema, { typeName })
  return schema
}

/** JSON Schema keywords. */
type Json = Readonly<Record<string, unknown>>

/**
 * A field with a check of its own. A VarveError that `check` throws is the call's error; where it gives back undefined,
 * the call is refused with `expected`. `Given` is the type of the values that pass.
 */
export function checked<Value, Given = unknown>(
  json: Json,
  check: (received: unknown) => Value | undefined,
  expected?: string,
): z.ZodType<Value, Given>
export function checked<Value>(json: Json, check: (received: unknown) => Value | undefined, expected = 'given'): z.ZodType<Value> {
  return z
    .unknown()
    .transform((received, context): Value => {
      try {
        const value = check(received)
        if (value !== undefined) return value
        context.issues.push({ code: 'custom', message: expected, input: received })
      } catch (error) {
        if (!VarveError.is(error)) throw error
        context.issues.push({ code: 'custom', message: error.message, params: { error }, input: received })
      }
      return z.NEVER
    })
    .meta(json)
}

/** A field that is passed on as it came: the operation checks it while it reads it. */
export function asGiven(json: Json): z.ZodUnknown {
  return z.unknown().meta(json)
}

/** A text of which a function of its room says why it is refused. */
export function textChecked(check: (received: unknown) => string): z.ZodType<string, string> {
  return checked({ type: 'string' }, check)
}

export const text = () => z.string({ error: 'a string' })

export const flag = () => z.boolean({ error: 'true or false' })

export function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `a whole number from ${least} to ${most}`
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

export function between(least: number, most: number) {
  const error = `a number from ${least} to ${most}`
  return z.number({ error }).min(least, { error }).max(most, { error })
}

export function oneOf<const Names extends readonly string[]>(names: Names) {
  return z.enum(names, { error: `one of ${names.join(', ')}` })
}

/** An object of known fields; others are refused, since a misspelt one would be passed over. */
export function record<const Fields extends Readonly<Record<string, z.ZodType>>>(fields: Fields, other: readonly string[] = []) {
  const known = [...Object.keys(fields), ...other].join(', ')
  const error = ({ code }: { readonly code?: string | undefined }): string =>
    code === 'unrecognized_keys' ? `left out: it is not known, and these are: ${known}` : 'an object'
  return z.strictObject(fields, { error })
}

const nameJson = { type: 'string', maxLength: 256 }

export const session = (): z.ZodType<SessionName, string> => checked(nameJson, sessionName)

/** Present but undefined is refused: it would widen what is asked for or changed. */
export const onlySession = () => z.exactOptional(session())

export const project = (): z.ZodType<ProjectName, string> => checked(nameJson, projectName)

export const user = (): z.ZodType<string, string> => checked(nameJson, (received) => validName('user', received))

const momentJson = { type: ['string', 'number'] }
const expectedMoment = 'a Date, ISO 8601 with an offset, or UTC milliseconds'

export const moment = (): z.ZodType<number, string | number> => typed('Time', checked(momentJson, milliseconds, expectedMoment))

const dayMs = 86_400_000

/** A bare day as the end of a range means all of that day. */
export const until = (): z.ZodType<number, string | number> =>
  typed(
    'Time',
    checked(
      momentJson,
      (received) => {
        const at = milliseconds(received)
        const isDay = typeof received === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(received)
        return at === undefined || !isDay ? at : at + dayMs - 1
      },
      expectedMoment,
    ),
  )

/** An id is looked up as it is: one that cannot be an id is not found. */
export const id = (): z.ZodType<string, string> =>
  checked({ type: 'string' }, (received) => (typeof received === 'string' ? received : shown(received)))

/** A cursor may hold a name: 256 bytes, as base64. */
const longestCursor = 400

/** `1,000`. The first call of toLocaleString would take 10 ms. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Fields of a list: how many items a page has, and where it begins. */
export function page(usual: number, most: number) {
  const expected = 'the `cursor` of a page of the same list'
  return {
    limit: whole(1, most)
      .default(usual)
      .describe(`The most items. Default ${grouped(usual)}.`),
    cursor: z.string({ error: expected }).max(longestCursor, { error: expected }).optional().describe('The `cursor` of the page before.'),
  }
}

/** The fields of a call as they were given. InvalidOption for anything but an object. */
export function givenFields<Given>(option: string, received: Given): Given & object {
  if (typeof received !== 'object' || received === null || Array.isArray(received)) throw refused(option, received, 'an object')
  return received
}

/** Refuses a value of an option with Varve's error. */
export function refused(option: string, received: unknown, expected: string): InvalidOption {
  return new InvalidOption({ option, received: shown(received), expected })
}

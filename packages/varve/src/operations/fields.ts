import * as z from 'zod'
import { anonymousMember } from '../bank/member-label.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { VarveError } from '../errors/varve-error.ts'
import { milliseconds } from '../messages/time.ts'
import { shown } from '../errors/shown.ts'
import { validName } from '../scope/name.ts'
import { type ProjectName, projectName, type SessionName, sessionName } from '../scope/partition.ts'

/** The types of fields in TypeScript, where JSON Schema says less. */
export const typeNames = z.registry<{ readonly typeName: string }>()

/** Names the type of a field that is declared elsewhere. */
export function typed<Schema extends z.ZodType>(typeName: string, schema: Schema): Schema {
  typeNames.add(schema, { typeName })
  return schema
}

/** JSON Schema keywords. */
type Json = Readonly<Record<string, unknown>>

/**
 * Makes a field with a check of its own. A VarveError from `check` becomes the call's error; undefined from it refuses
 * the call with `expected`. `Given` is the type of the values that pass.
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

/** Makes a field that is passed on as it came. The operation checks it while it reads it. */
export function asGiven(json: Json): z.ZodUnknown {
  return z.unknown().meta(json)
}

/** Makes a text field. The function of a room checks it, and its error is the call's. */
export function textChecked(check: (received: unknown) => string): z.ZodType<string, string> {
  return checked({ type: 'string' }, check)
}

export const text = () => z.string({ error: 'a string' })

export const flag = () => z.boolean({ error: 'true or false' })

export function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = most === Number.MAX_SAFE_INTEGER ? `a whole number of ${least} or more` : `a whole number from ${least} to ${most}`
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

export function between(least: number, most: number) {
  const error = `a number from ${least} to ${most}`
  return z.number({ error }).min(least, { error }).max(most, { error })
}

export function oneOf<const Names extends readonly string[]>(names: Names) {
  return z.enum(names, { error: `one of ${names.join(', ')}` })
}

/** Makes an object of known fields. It refuses others, since a misspelt field would be passed over. */
export function record<const Fields extends Readonly<Record<string, z.ZodType>>>(fields: Fields, other: readonly string[] = []) {
  const known = [...Object.keys(fields), ...other].join(', ')
  const error = ({ code }: { readonly code?: string | undefined }): string =>
    code === 'unrecognized_keys' ? `left out: it is unknown; known are: ${known}` : 'an object'
  return z.strictObject(fields, { error })
}

const nameJson = { type: 'string', maxLength: 256 }

export const session = (): z.ZodType<SessionName, string> => checked(nameJson, sessionName)

/** Makes a session field that refuses undefined: undefined would widen the call. */
export const onlySession = () => z.exactOptional(session())

export const project = (): z.ZodType<ProjectName, string> => checked(nameJson, projectName)

export const user = (): z.ZodType<string, string> => checked(nameJson, (received) => validName('user', received))

/** Makes the field for a member of a project: a user, or `~` for the anonymous user. */
export const member = (): z.ZodType<string, string> =>
  checked(nameJson, (received) => (received === anonymousMember ? anonymousMember : validName('user', received)))

const momentJson = { type: ['string', 'number'] }
const expectedMoment = 'a Date, ISO 8601 with an offset, or UTC milliseconds'

export const moment = (): z.ZodType<number, string | number> => typed('Time', checked(momentJson, milliseconds, expectedMoment))

const dayMs = 86_400_000

/** Makes the field for the end of a range. A bare day means all of that day. */
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

/** Makes the field for an id. Any text passes: an impossible id is not found. */
export const id = (): z.ZodType<string, string> =>
  checked({ type: 'string' }, (received) => (typeof received === 'string' ? received : shown(received)))

/** The longest cursor: it may hold a name of 256 bytes, as base64. */
const longestCursor = 400

/** Formats a count as `1,000`. The first call of toLocaleString would take 10 ms. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Makes the fields of a list: the number of items of a page, and the place where it begins. */
export function page(usual: number, most: number) {
  const expected = 'the `cursor` of a page of the same list'
  return {
    limit: whole(1, most)
      .default(usual)
      .describe(`The most items. Default ${grouped(usual)}.`),
    cursor: z.string({ error: expected }).max(longestCursor, { error: expected }).optional().describe('The `cursor` of the page before.'),
  }
}

/** Gives the fields of a call as they were given. InvalidOption for anything but an object. */
export function givenFields<Given>(option: string, received: Given): Given & object {
  if (typeof received !== 'object' || received === null || Array.isArray(received)) throw refused(option, received, 'an object')
  return received
}

const anyVersion = { error: 'the `version` of an earlier answer, or none for a thing that was not there' }

/** Makes the field for the version on which an edit was made. */
export const expectedVersion = () =>
  z
    .string(anyVersion)
    .regex(/^[\w-]{1,64}$/, anyVersion)
    .optional()
    .describe('Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any.')

/** Makes the field for the revision on which a restoring or a deletion was decided. */
export const expectedRevision = () => whole(0).optional().describe('Only if this revision stands. Default: any.')

/** Makes the error that refuses a value of an option. */
export function refused(option: string, received: unknown, expected: string): InvalidOption {
  return new InvalidOption({ option, received: shown(received), expected })
}

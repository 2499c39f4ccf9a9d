import type { Command } from 'commander'
import type * as z from 'zod'
import { InvalidOption } from '../errors/invalid-option.ts'
import type { Fields } from '../operations/operation.ts'
import { jsonSchemaOf, parseInput } from '../operations/parse.ts'
import { wrongUsage } from './command-error.ts'
import type { GlobalFlags } from './global-flags.ts'
import { textOrInput } from './input.ts'
import { commandLine } from './next-command.ts'
import { addFlags, addPlace, asHelp, type FieldNotes, isOfField } from './operation-flags.ts'
import type { FieldSchema, FieldSchemas } from '../operations/field-schema.ts'

/** Fields that the user typed. A field that was not typed is absent. */
type Typed<Input extends Fields> = Present<z.input<z.ZodObject<Input>>>

type Present<Input> = { [Name in keyof Input]: Exclude<Input[Name], undefined> }

/** The input that a command gives to an operation. */
export type InputOf<Operation extends { readonly input: () => Fields }, Skipped extends string = never> = Typed<
  Omit<ReturnType<Operation['input']>, Skipped | OfPrograms>
>

/** An operation, or a record of fields for a command that has no operation. */
interface Asked<Input extends Fields> {
  readonly name?: string
  readonly about?: string
  readonly input: () => Input
}

interface CommandNotes<Skipped extends string> extends FieldNotes {
  /** Description of the command, in place of the operation's `about`. */
  readonly about?: string
  /** Fields that the user does not type: the command sets them or leaves them out. */
  readonly except?: readonly Skipped[]
  /** One of the fields in `except`, which holds an object. Its fields become flags. The command does not check them. */
  readonly inside?: Skipped
}

/** Fields for programs. A command reads all pages of a list itself, and edits what stands when it runs. */
const ofPrograms = ['cursor', 'expectedVersion', 'expectedRevision'] as const
type OfPrograms = (typeof ofPrograms)[number]

/** The operation of a command, and the fields that the command takes. */
interface Taken {
  readonly operation: string | undefined
  readonly fields: readonly string[]
}

const takenBy = new WeakMap<Command, Taken>()

export function fieldsTaken(command: Command): Taken | undefined {
  return takenBy.get(command)
}

/**
 * Adds a command whose places, flags and help come from an operation. `usage` names the command, then the fields that
 * it takes by place; each other field is a flag. `run` gets the checked input, and all flags and places.
 *
 * @example addCommand(blocks, 'show <name>', blockOperations.get, show)
 */
export function addCommand<Input extends Fields, Flags extends GlobalFlags, Skipped extends keyof Input & string = never>(
  parent: Command,
  usage: string,
  operation: Asked<Input>,
  run: (input: Typed<Omit<Input, Skipped | OfPrograms>>, flags: Flags) => Promise<void>,
  notes: CommandNotes<Skipped> = {},
): Command {
  const [name = '', ...places] = usage.split(' ')
  const { except = [], inside } = notes
  const { properties: all = {}, required }: FieldSchema = jsonSchemaOf(operation)
  const checked = without(all, [...ofPrograms, ...except])
  const properties = { ...checked, ...(inside === undefined ? {} : fieldsInside(all[inside])) }
  const taken = except.length === 0 ? operation : { input: () => without(operation.input(), except) }
  const about = notes.about ?? operation.about ?? ''
  const [first = ''] = about.split(/(?<=\.) /)
  const command = parent.command(name).description(asHelp(about, properties)).summary(asHelp(first, properties))
  takenBy.set(command, { operation: operation.name, fields: Object.keys(properties) })
  const placed = places.map((place) => addPlace(command, place, properties, notes))
  const flagged = without(properties, placed)
  addFlags(command, without(flagged, flagsAbove(command)), notes, required)
  return command.action(async () => {
    refuseUnheeded(command, flagged)
    const flags = Object.assign(command.optsWithGlobals<Flags>(), command.opts(), placedIn(command, placed, properties))
    const given: Record<string, unknown> = { ...flags }
    if (notes.stdin !== undefined) given[notes.stdin] = await textOrInput(String(given[notes.stdin]))
    const input: object = Object.fromEntries(Object.entries(given).filter(([field]) => Object.hasOwn(checked, field)))
    try {
      assertInput<Omit<Input, Skipped | OfPrograms>>(taken, input)
      await run(input, flags)
    } catch (error) {
      throw error instanceof InvalidOption ? asTyped(error, command) : error
    }
  })
}

/** Gives the fields of an object, also where the field may hold other values (`anyOf`). */
function fieldsInside(field: FieldSchema = {}): FieldSchemas {
  return (field.anyOf?.[0] ?? field).properties ?? {}
}

/** Lists the flags of the commands above, such as --project: they serve as fields too. */
function flagsAbove({ parent }: Command): string[] {
  if (parent === null) return []
  return [...parent.options.filter((option) => !isOfField(option)).map((option) => option.attributeName()), ...flagsAbove(parent)]
}

/** Gives the typed value of each place. Joins the words of a question to one text. */
function placedIn({ processedArgs }: Command, names: readonly string[], fields: FieldSchemas): Record<string, unknown> {
  const typed = names.map((name, at): [string, unknown] => {
    const value: unknown = processedArgs[at]
    return [name, Array.isArray(value) && fields[name]?.type === 'string' ? value.join(' ') : value]
  })
  return Object.fromEntries(typed.filter(([, value]) => value !== undefined))
}

function assertInput<Input extends Fields>(taken: Asked<Fields>, input: object): asserts input is Typed<Input> {
  parseInput(taken, input)
}

function without<Input extends object, Name extends string>(from: Input, names: readonly Name[]): Omit<Input, Name>
function without(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)))
}

/** Refuses a flag of a command above that this command would ignore. */
export function refuseUnheeded(command: Command, heeded: FieldSchemas): void {
  for (let above = command.parent; above !== null; above = above.parent) {
    const typed = above.options.filter((option) => above?.getOptionValueSource(option.attributeName()) === 'cli')
    const unheeded = typed.find((option) => isOfField(option) && !Object.hasOwn(heeded, option.attributeName()))
    if (unheeded === undefined) continue
    const name = `${above.name()} ${command.name()}`
    throw wrongUsage(`varve ${name} does not know ${unheeded.long ?? 'this flag'}.`, commandLine(...name.split(' '), '--help'))
  }
}

/** Puts the name of the flag in place of the field's name. */
function asTyped(error: InvalidOption, { options }: Command): InvalidOption {
  const field = error.option.split('.').at(-1)
  const flag = options.find((option) => option.attributeName() === field)?.long
  return flag === undefined || flag === null ? error : new InvalidOption({ ...error, option: flag }, { cause: error })
}

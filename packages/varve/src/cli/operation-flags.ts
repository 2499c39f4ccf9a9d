import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { FieldSchema, FieldSchemas } from '../operations/field-schema.ts'
import { grouped } from '../operations/fields.ts'
import { metadataPair, number, onOff, repeated, time, withCommas } from './flag-values.ts'

/** Notes of the command line on fields, beside their schemas. */
export interface FieldNotes {
  /** Help by field, in place of the field's description. */
  readonly help?: Readonly<Record<string, string>> | undefined
  /** The field that is read from stdin where `-` is typed. */
  readonly stdin?: string | undefined
}

/** Flags that stand for a field. */
const ofFields = new WeakSet<Option>()

/** Tells whether a flag stands for a field. Such a flag belongs to its command, and not to the commands below it. */
export function isOfField(option: Option): boolean {
  return ofFields.has(option)
}

/** Values that a flag or a place may take, where they are few. */
const choices = new WeakMap<Option | Argument, readonly string[]>()

/** Lists the values that a flag or a place may take. Empty where they are not few. */
export function choicesOf(typed: Option | Argument): readonly string[] {
  return choices.get(typed) ?? typed.argChoices ?? []
}

/** The form of a typed value: its placeholder, the reader of its text, its few values, and more words for the help. */
interface Typed {
  readonly value: string
  readonly of?: readonly string[]
  read?(text: string, before: unknown): unknown
  readonly more?: string
}

/** The largest bound that the help shows. */
const mostTold = 1_000

function isTime({ type }: FieldSchema): boolean {
  return Array.isArray(type) && type.includes('number')
}

/** Reads a value from its text. */
export function readValue(field: FieldSchema, text: string): unknown {
  return typedOf(field, '').read?.(text, undefined) ?? text
}

function typedOf(field: FieldSchema, name: string): Typed {
  const { type, enum: names, items, maxLength, minimum, maximum } = field
  if (isTime(field)) return { value: 'time', read: time }
  if (names !== undefined)
    return {
      value: name,
      of: names,
      more: `: ${names.join(', ')}`,
      read: (text) => oneOf(names, text, `It must be one of ${names.join(', ')}.`),
    }
  if (type === 'number' || type === 'integer') {
    const isBounded = minimum !== undefined && maximum !== undefined && maximum <= mostTold
    return { value: 'n', read: number, more: isBounded ? `, ${minimum} to ${grouped(maximum)}` : '' }
  }
  if (type === 'boolean') return { value: 'on|off', of: ['on', 'off'], read: onOff }
  if (type === 'object') return { value: 'key=value', read: metadataPair, more: '; may be repeated' }
  if (type !== 'array') return { value: maxLength === undefined ? 'text' : 'name' }
  const of = items?.enum
  if (of === undefined) return { value: 'text', read: repeated, more: '; may be repeated' }
  const listed = `${of.join(', ')}, with commas between them`
  return { value: name, of, more: `: ${listed}`, read: (text) => withCommas(text, (one) => oneOf(of, one, `They must be of ${listed}.`)) }
}

function oneOf(names: readonly string[], text: string, expected: string): string {
  if (names.includes(text)) return text
  throw new InvalidArgumentError(expected)
}

/** Adds a flag for each of the fields to a command. */
export function addFlags(command: Command, fields: FieldSchemas, notes: FieldNotes = {}, required: readonly string[] = []): void {
  const firstTime = Object.keys(fields).find((name) => isTime(fields[name] ?? {}))
  for (const [name, field] of Object.entries(fields)) {
    const { value, of, read, more = '' } = typedOf(field, name)
    const form = name === firstTime ? ': ISO 8601 with its offset, or a UTC day' : ''
    const isSwitch = field.type === 'boolean'
    const flag = `--${isSwitch && field.default === true ? 'no-' : ''}${kebab(name)}`
    // A flag with several values would take the places after it as well.
    const dots = value === 'text' && field.type === 'array' && command.registeredArguments.length === 0 ? '...' : ''
    const words = helpOf(name, fields, notes, `${more}${form}`)
    const option = new Option(isSwitch ? flag : `${flag} <${value}${dots}>`, isSwitch ? words.replace(/^whether /, '') : words)
    if (read !== undefined && !isSwitch) option.argParser(read)
    if (of !== undefined && !isSwitch) choices.set(option, of)
    command.addOption(option.makeOptionMandatory(required.includes(name)))
    ofFields.add(option)
  }
}

/** Takes a field by place: `<name>`, `[name]` or `<name...>`. Gives back the field's name. */
export function addPlace(command: Command, place: string, fields: FieldSchemas, notes: FieldNotes): string {
  const name = place.replaceAll(/[<>[\].]/g, '')
  const field = fields[name] ?? {}
  const { of, read, more = '' } = typedOf(field, name)
  const shown = field.type === 'boolean' ? place.replace(name, 'on|off') : place
  const isVariadic = place.includes('...')
  const argument = new Argument(shown, helpOf(name, fields, notes, isVariadic ? '' : more))
  if (read !== undefined && !isVariadic) argument.argParser(read)
  if (of !== undefined) choices.set(argument, of)
  command.addArgument(argument)
  return name
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Puts words of an operation in the form of the help: a field with a flag is named by the flag. */
export function asHelp(words: string, fields: FieldSchemas): string {
  const plain = words
    .replaceAll('’', "'")
    .replaceAll(/`([^`]+)`/g, (_, name: string) => (Object.hasOwn(fields, name) ? `--${kebab(name)}` : name))
    .replace(/\.$/, '')
  return /^[A-Z][a-z ]/.test(plain) ? `${plain.charAt(0).toLowerCase()}${plain.slice(1)}` : plain
}

/** Splits a description into its words and the default at its end. */
export function parted(description: string): string[] {
  return description.split(/\.? ?Default:? /)
}

/** Gives the help of a field: its description and its default. */
export function helpOf(name: string, fields: FieldSchemas, { help, stdin }: FieldNotes = {}, more = ''): string {
  const { description = '', type } = fields[name] ?? {}
  const end = stdin === name ? '; - reads it from stdin' : ''
  const own = help?.[name]
  if (own !== undefined) return `${own}${end}`
  const [words = '', usual] = parted(description)
  const text = `${asHelp(words, fields)}${more}`
  return usual === undefined || type === 'boolean' ? `${text}${end}` : `${text} (default: ${asHelp(usual, fields)})${end}`
}

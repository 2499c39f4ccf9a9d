import { CommanderError } from 'commander'
import { jsonSchemaOf } from '../operations/parse.ts'
import { projectSettingsOperations } from '../operations/project.ts'
import { userSettingsOperations } from '../operations/user.ts'
import { wrongUsage } from './command-error.ts'
import { commandLine } from './next-command.ts'
import { helpOf, parted, readValue } from './operation-flags.ts'
import type { FieldSchema, FieldSchemas } from '../operations/field-schema.ts'
import { harmless, harmlessLine, paint, paragraph } from './terminal.ts'

type Settings = Readonly<Record<string, unknown>>

/** A setting of a project, by its name on the command line. */
interface NamedSetting {
  readonly name: string
  /** The group of the setting: `bank` in `bank.maxTokens`. */
  readonly group: string | undefined
  readonly field: string
  readonly schema: FieldSchema
}

/** The name of the user's own setting. */
export const shareName = 'share'

/** The placeholder for the names in an open group: `predicates.lives in`. */
const anyField = '<words>'

/** Groups that switch something on by being set, with their defaults too. The name of such a group is a setting itself. */
const switches: ReadonlySet<string> = new Set(['readings'])

/** Gives the schemas of all settings, from the operations that set them. */
function settingSchemas(): FieldSchemas {
  const ofProject: FieldSchema = jsonSchemaOf(projectSettingsOperations.set)
  const ofUser: FieldSchema = jsonSchemaOf(userSettingsOperations.set)
  return { ...ofProject.properties?.['settings']?.properties, ...ofUser.properties }
}

/** Lists a setting, or the settings of a group. */
function settingsIn(name: string, schema: FieldSchema): NamedSetting[] {
  const { properties, additionalProperties: open } = schema.anyOf?.[0] ?? schema
  // A list of objects cannot be typed.
  const typed = Object.entries({ ...properties }).filter(([, { type }]) => type !== 'array')
  const fields = Object.entries({ ...Object.fromEntries(typed), ...(typeof open === 'object' ? { [anyField]: open } : {}) })
  if (fields.length === 0) return [{ name, group: undefined, field: name, schema }]
  const named = fields.map(([field, schema]) => ({ name: `${name}.${field}`, group: name, field, schema }))
  return switches.has(name) ? [{ name, group: undefined, field: name, schema: { type: 'boolean', default: false } }, ...named] : named
}

export function namedSettings(): NamedSetting[] {
  return Object.entries(settingSchemas()).flatMap(([name, schema]) => settingsIn(name, schema))
}

export function settingNamed(name: string): NamedSetting | undefined {
  const all = namedSettings()
  const open = all.find(({ group, field }) => field === anyField && name.startsWith(`${group}.`) && name.length > `${group}.`.length)
  return all.find((setting) => setting.name === name) ?? (open && { ...open, name, field: name.slice(`${open.group}.`.length) })
}

/** Lists the settings that a project may have. Of an open group, it lists the names in use. */
function possibleSettings(settings: object): NamedSetting[] {
  return namedSettings().flatMap(({ name, group, field, schema }) => {
    if (group === undefined || field !== anyField) return name === shareName ? [] : [{ name, group, field, schema }]
    return Object.keys(groupOf(settings, group)).map((one) => ({ name: `${group}.${one}`, group, field: one, schema }))
  })
}

function groupOf(settings: object, group: string): Settings {
  return { ...Reflect.get(settings, group) }
}

/** Shows each setting with its value or its default, the user's own apart. */
export function settingLines(settings: object, share: boolean): { readonly project: readonly string[]; readonly user: readonly string[] } {
  const named = possibleSettings(settings)
  const width = Math.max(...named.map(({ name }) => name.length))
  const line = (name: string, value: string): string => `  ${harmlessLine(name).padEnd(width)}  ${value}`
  return { project: named.map((setting) => line(setting.name, told(settings, setting))), user: [line(shareName, shown(share))] }
}

function told(settings: object, { group, field, schema }: NamedSetting): string {
  const [, said] = parted(schema.description ?? '')
  const value: unknown = Reflect.get(group === undefined ? settings : groupOf(settings, group), field)
  return value === undefined
    ? paint('dim', `${shown(schema.default ?? said?.replace(/\.$/, '') ?? 'none')} (default)`)
    : harmless(shown(value))
}

/** Shows a value as it is typed. */
function shown(value: unknown): string {
  if (typeof value === 'object') return 'on'
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
}

/** Lists the settings by group, each with its description. */
export function settingsHelp(): string {
  const schemas = settingSchemas()
  const lines = Object.entries(schemas).flatMap(([name, schema]) => {
    const names = settingsIn(name, schema).map((setting) => setting.name)
    const [one, more] = [names.join(', '), helpOf(name, schemas)]
    return [...paragraph(one, { indent: '  ', width: 80 }), ...paragraph(more, { indent: '      ', width: 80 })]
  })
  return lines.join('\n')
}

/** Makes the change that sets a setting to a text, or unsets it without one. Other settings of its group stay. */
export function changeOf(settings: object, { group, field, ...setting }: NamedSetting, text: string | undefined): Settings {
  const value = text === undefined ? undefined : settingValue(setting, text)
  if (switches.has(field) && group === undefined) return { [field]: value === true ? groupOf(settings, field) : null }
  if (group === undefined) return { [field]: value ?? null }
  const { [field]: _before, ...others } = groupOf(settings, group)
  const changed = value === undefined ? others : { ...others, [field]: value }
  const isOn = switches.has(group) && Reflect.has(settings, group)
  return { [group]: Object.keys(changed).length === 0 && !isOn ? null : changed }
}

export function settingValue({ name, schema }: Pick<NamedSetting, 'name' | 'schema'>, text: string): unknown {
  try {
    return readValue(schema, text)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const next = commandLine('settings', '--help')
    throw wrongUsage(`${name} cannot be ${JSON.stringify(text)}. ${error.message}`, next)
  }
}

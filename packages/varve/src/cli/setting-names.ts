import { layerSwitches } from '../memory/configuration.ts'
import type { Memory } from '../memory/memory.ts'
import { CommandError } from './command-error.ts'
import { commandLine } from './next-command.ts'

type Project = ReturnType<Memory['project']>
type ProjectSettings = Awaited<ReturnType<Project['settings']['get']>>
type Changes = Parameters<Project['settings']['set']>[0]

/** A project's setting by the name that it has on the command line. */
export interface NamedSetting {
  /** What holds while nothing is set. */
  readonly usual: string
  /** What is set. */
  readonly read: (settings: ProjectSettings) => string | undefined
  /** What the project's settings become: with a text, or without one to take it back. What stands beside it in its group stays. */
  readonly change: (settings: ProjectSettings, text: string | undefined) => Changes
}

/** Settings of a project. Values are checked by the memory; here text becomes what they are. */
export const namedProjectSettings: Readonly<Record<string, NamedSetting>> = {
  timeZone: { usual: 'UTC', read: ({ timeZone }) => timeZone, change: (_settings, text) => ({ timeZone: text ?? null }) },
  ...Object.fromEntries(layerSwitches.map(({ name, isOn }) => [`layers.${name}`, layer(name, isOn ? 'on' : 'off')])),
  'bank.maxTokens': {
    usual: '2000',
    read: ({ bank }) => bank?.maxTokens?.toString(),
    change: ({ bank: { maxTokens: _maxTokens, ...others } = {} }, text) => ({
      bank: group({ ...others, ...(text === undefined ? {} : { maxTokens: amount(text) }) }),
    }),
  },
  'ceiling.calls': {
    usual: 'none',
    read: ({ ceiling }) => ceiling?.calls?.toString(),
    change: ({ ceiling: { calls: _calls, ...others } = {} }, text) => ({
      ceiling: group({ ...others, ...(text === undefined ? {} : { calls: amount(text) }) }),
    }),
  },
  'ceiling.tokens': {
    usual: 'none',
    read: ({ ceiling }) => ceiling?.tokens?.toString(),
    change: ({ ceiling: { tokens: _tokens, ...others } = {} }, text) => ({
      ceiling: group({ ...others, ...(text === undefined ? {} : { tokens: amount(text) }) }),
    }),
  },
  'notes.firstTokens': ofNotes('firstTokens', '10000'),
  'notes.growthTokens': ofNotes('growthTokens', '5000'),
  'notes.toolCalls': ofNotes('toolCalls', '3'),
  'notes.sectionTokens': ofNotes('sectionTokens', '2000'),
  'notes.maxTokens': ofNotes('maxTokens', '12000'),
}

/** The user's own setting. */
export const shareName = 'share'

export function switched(on: boolean | undefined): string | undefined {
  return on === undefined ? undefined : on ? 'on' : 'off'
}

/** A project's setting by its name; undefined where there is none of that name. */
export function settingNamed(name: string): NamedSetting | undefined {
  if (name.startsWith(predicatePrefix) && name.length > predicatePrefix.length) return predicate(name.slice(predicatePrefix.length))
  return Object.hasOwn(namedProjectSettings, name) ? namedProjectSettings[name] : undefined
}

/** The settings that a project may have: those of its predicates where it has some. */
export function possibleSettings({ predicates = {} }: ProjectSettings): [string, NamedSetting][] {
  return [
    ...Object.entries(namedProjectSettings),
    ...Object.keys(predicates).map((name): [string, NamedSetting] => [`${predicatePrefix}${name}`, predicate(name)]),
  ]
}

/** `predicates.lives in`: how many objects it has at a time. */
export const predicatePrefix = 'predicates.'

function predicate(name: string): NamedSetting {
  return {
    usual: 'as it is known',
    read: ({ predicates }) => predicates?.[name],
    change: ({ predicates = {} }, text) => {
      const others = Object.fromEntries(Object.entries(predicates).filter(([other]) => other !== name))
      return { predicates: group({ ...others, ...(text === undefined ? {} : { [name]: valued(text) }) }) }
    },
  }
}

function layer(name: (typeof layerSwitches)[number]['name'], usual: 'on' | 'off'): NamedSetting {
  return {
    usual,
    read: ({ layers }) => switched(layers?.[name]),
    change: ({ layers: { [name]: _before, ...others } = {} }, text) => ({
      layers: group({ ...others, ...(text === undefined ? {} : { [name]: toggle(text) }) }),
    }),
  }
}

function ofNotes(name: 'firstTokens' | 'growthTokens' | 'toolCalls' | 'sectionTokens' | 'maxTokens', usual: string): NamedSetting {
  return {
    usual,
    read: ({ notes }) => notes?.[name]?.toString(),
    change: ({ notes: { [name]: _before, ...others } = {} }, text) => ({
      notes: group({ ...others, ...(text === undefined ? {} : { [name]: amount(text) }) }),
    }),
  }
}

/** An empty group is none. */
function group<Group extends object>(settings: Group): Group | null {
  return Object.keys(settings).length === 0 ? null : settings
}

/** A switch. */
export function toggle(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new CommandError(`${JSON.stringify(text)} is neither on nor off.`, {
    code: 'USAGE',
    exitCode: 2,
    next: commandLine('settings', '--help'),
  })
}

function valued(text: string): 'single' | 'multi' {
  if (text === 'single' || text === 'multi') return text
  throw new CommandError(`${JSON.stringify(text)} is neither single nor multi.`, {
    code: 'USAGE',
    exitCode: 2,
    next: commandLine('settings', '--help'),
  })
}

function amount(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new CommandError(`${JSON.stringify(text)} is no number.`, { code: 'USAGE', exitCode: 2, next: commandLine('settings', '--help') })
}

import type { Memory } from '../memory.ts'
import { CommandError } from './command-error.ts'
import { commandLine } from './next-command.ts'

type Project = ReturnType<Memory['project']>
type ProjectSettings = Awaited<ReturnType<Project['settings']['get']>>
type Changes = Parameters<Project['settings']['set']>[0]

/** A project's setting by the name that it has on the command line. */
export interface Setting {
  /** What holds while nothing is set. */
  readonly usual: string
  /** What is set. */
  readonly read: (settings: ProjectSettings) => string | undefined
  /** What the project's settings become: with a text, or without one to take it back. What stands beside it in its group stays. */
  readonly change: (settings: ProjectSettings, text: string | undefined) => Changes
}

/** Settings of a project. Values are checked by the memory; here text becomes what they are. */
export const projectSettings: Readonly<Record<string, Setting>> = {
  timeZone: {
    usual: 'UTC',
    read: ({ timeZone }) => timeZone,
    change: (_settings, text) => ({ timeZone: text ?? null }),
  },
  'layers.gists': {
    usual: 'on',
    read: ({ layers }) => switched(layers?.gists),
    change: ({ layers: { gists: _gists, ...others } = {} }, text) => ({ layers: group({ ...others, ...(text === undefined ? {} : { gists: toggle(text) }) }) }),
  },
  'layers.bank': {
    usual: 'off',
    read: ({ layers }) => switched(layers?.bank),
    change: ({ layers: { bank: _bank, ...others } = {} }, text) => ({ layers: group({ ...others, ...(text === undefined ? {} : { bank: toggle(text) }) }) }),
  },
  'bank.maxTokens': {
    usual: '2000',
    read: ({ bank }) => bank?.maxTokens?.toString(),
    change: ({ bank: { maxTokens: _maxTokens, ...others } = {} }, text) => ({ bank: group({ ...others, ...(text === undefined ? {} : { maxTokens: amount(text) }) }) }),
  },
  'ceiling.calls': {
    usual: 'none',
    read: ({ ceiling }) => ceiling?.calls?.toString(),
    change: ({ ceiling: { calls: _calls, ...others } = {} }, text) => ({ ceiling: group({ ...others, ...(text === undefined ? {} : { calls: amount(text) }) }) }),
  },
  'ceiling.tokens': {
    usual: 'none',
    read: ({ ceiling }) => ceiling?.tokens?.toString(),
    change: ({ ceiling: { tokens: _tokens, ...others } = {} }, text) => ({ ceiling: group({ ...others, ...(text === undefined ? {} : { tokens: amount(text) }) }) }),
  },
}

/** The user's own setting. */
export const shareName = 'share'

export function switched(on: boolean | undefined): string | undefined {
  return on === undefined ? undefined : on ? 'on' : 'off'
}

export function isSetting(name: string): boolean {
  return name === shareName || Object.hasOwn(projectSettings, name)
}

/** An empty group is none. */
function group<Group extends object>(settings: Group): Group | null {
  return Object.keys(settings).length === 0 ? null : settings
}

/** A switch. */
export function toggle(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new CommandError(`${JSON.stringify(text)} is neither on nor off.`, { code: 'USAGE', exitCode: 2, next: commandLine('settings', '--help') })
}

function amount(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new CommandError(`${JSON.stringify(text)} is no number.`, { code: 'USAGE', exitCode: 2, next: commandLine('settings', '--help') })
}

import { join } from 'node:path'
import { claudeFolder, type ClientMachine, type ClientScope } from './client-places.ts'
import { SettingsFile, UneditableText } from './json-file.ts'
import type { ServerEntry } from './toml-file.ts'

/** The events that Varve answers, and the seconds after which Claude Code gives a hook up. */
const events = {
  SessionStart: { timeout: 5 },
  UserPromptSubmit: { timeout: 5 },
  Stop: { timeout: 60, async: true },
  SubagentStop: { timeout: 60, async: true },
  PreCompact: { timeout: 30 },
  SessionEnd: { timeout: 10 },
} as const

/** The events whose hook ends by `--deadline-ms`. Claude Code waits a second longer at least, so that it does not end the hook first. */
const withDeadline: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit'])

/** A line of Varve's own, in any folder: `… main.js hook claude-code …`. */
const ownLine = /(?:^|[\s'"/\\])(?:varve|varve\.cmd|main\.[jt]s)['"]?\s+hook\s+claude-code(?:\s|$)/

/** Gives the settings file of a scope. */
export function claudeSettings(machine: ClientMachine, scope: ClientScope): string {
  if (scope === 'user') return join(claudeFolder(machine), 'settings.json')
  return join(machine.cwd, '.claude', scope === 'project' ? 'settings.json' : 'settings.local.json')
}

/**
 * Gives the hook of a command. A shell reads the line, except on Windows, where it may be one of two: there the program
 * is started directly.
 */
export function hookEntry({ command, args }: ServerEntry, platform: NodeJS.Platform): Readonly<Record<string, unknown>> {
  if (platform === 'win32') return { type: 'command', command, args }
  return { type: 'command', command: [command, ...args].map(quoted).join(' ') }
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`
}

/** Puts the hooks into the text of a settings file, in place of those of before. A longer time-out that stands there stays. */
export function withHooks(text: string, entry: Readonly<Record<string, unknown>>): string {
  let file = new SettingsFile(text)
  for (const [event, details] of Object.entries(events)) {
    const places = ownPlaces(file, event)
    const [first] = places
    const standing = first === undefined ? undefined : fieldOf(file.at(['hooks', event, first.group, 'hooks', first.hook]), 'timeout')
    const needed = Math.max(details.timeout, withDeadline.has(event) ? Math.floor(deadlineMsOf(entry) / 1_000) + 2 : 0)
    const hook = { ...entry, ...details, timeout: typeof standing === 'number' ? Math.max(standing, needed) : needed }
    for (const place of places.slice(1).toReversed()) file = withoutHook(file, event, place)
    if (first !== undefined) file = file.with(['hooks', event, first.group, 'hooks', first.hook], hook)
    else if (Array.isArray(file.at(['hooks', event]))) file = file.with(['hooks', event], { hooks: [hook] }, true)
    else if (file.at(['hooks', event]) === undefined) file = file.with(['hooks', event], [{ hooks: [hook] }])
    else throw new UneditableText(`hooks.${event} is no list`)
  }
  return file.whole
}

/** Takes Varve's hooks out, whatever their event, and all that they leave empty. */
export function withoutHooks(text: string): string {
  let file = new SettingsFile(text)
  for (const event of eventsIn(file)) for (const place of ownPlaces(file, event).toReversed()) file = withoutHook(file, event, place)
  return file.whole
}

export function hasHooks(text: string): boolean {
  return ownHook(text) !== undefined
}

/** Gives Varve's hooks of a text as lines to show, without their neighbours. */
export function shownHooks(text: string): string {
  const file = new SettingsFile(text)
  const shown = eventsIn(file).flatMap((event) => {
    const own = ownPlaces(file, event).map(({ group, hook }) => file.at(['hooks', event, group, 'hooks', hook]))
    return own.length === 0 ? [] : [[event, [{ hooks: own }]] as const]
  })
  return shown.length === 0 ? '' : JSON.stringify({ hooks: Object.fromEntries(shown) }, undefined, 2)
}

/** Puts the hooks of one text into another. */
export function hooksAgain(before: string, now: string): string {
  const entry = ownHook(now)
  return entry === undefined ? before : withHooks(before, entry)
}

/** Gives the first hook of Varve's without what its event adds. */
function ownHook(text: string): Readonly<Record<string, unknown>> | undefined {
  const file = new SettingsFile(text)
  for (const event of eventsIn(file)) {
    const [place] = ownPlaces(file, event)
    if (place === undefined) continue
    const hook = file.at(['hooks', event, place.group, 'hooks', place.hook])
    return Object.fromEntries(
      ['type', 'command', 'args'].flatMap((name) => (fieldOf(hook, name) === undefined ? [] : [[name, fieldOf(hook, name)]])),
    )
  }
  return undefined
}

function eventsIn(file: SettingsFile): readonly string[] {
  const hooks = file.at(['hooks'])
  return typeof hooks === 'object' && hooks !== null ? Object.keys(hooks) : []
}

/** The place of a hook within the groups of its event. */
interface HookPlace {
  readonly group: number
  readonly hook: number
}

function ownPlaces(file: SettingsFile, event: string): readonly HookPlace[] {
  return listOf(file.at(['hooks', event])).flatMap((one, group) =>
    listOf(fieldOf(one, 'hooks')).flatMap((hook, place) => (isOwn(hook) ? [{ group, hook: place }] : [])),
  )
}

function withoutHook(file: SettingsFile, event: string, { group, hook }: HookPlace): SettingsFile {
  const isAlone = listOf(file.at(['hooks', event, group, 'hooks'])).length === 1
  // A group without a hook says nothing: its matcher goes with it.
  return file.without(isAlone ? ['hooks', event, group] : ['hooks', event, group, 'hooks', hook])
}

function isOwn(hook: unknown): boolean {
  return ownLine.test(lineOf(hook))
}

function lineOf(hook: unknown): string {
  return [String(fieldOf(hook, 'command') ?? ''), ...listOf(fieldOf(hook, 'args')).map(String)].join(' ')
}

/** Gives the deadline in a hook's line; 0 for the usual one. */
function deadlineMsOf(hook: unknown): number {
  return Number(/ --deadline-ms (\d+)/.exec(lineOf(hook))?.[1] ?? 0)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([field]) => field === name)?.[1] : undefined
}

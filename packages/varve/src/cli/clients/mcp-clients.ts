import { join } from 'node:path'
import { applicationFolder, claudeFolder, type ClientMachine, type ClientScope, homeOf } from './client-places.ts'
import { SettingsFile, UneditableText } from './json-file.ts'
import { type ServerEntry, tomlEntry, withoutTomlEntry, withTomlEntry } from './toml-file.ts'

/** The name of the entry in every client. */
const entryName = 'varve'

/** The table of servers in TOML. */
const tomlKey = 'mcp_servers'

/** A program that starts MCP servers by its settings. */
interface McpClient {
  readonly title: string
  /** Gives its file by scope; undefined where it has none. */
  readonly file: (machine: ClientMachine, scope: ClientScope) => string | undefined
  /** The name under which it keeps servers, in JSON; undefined for TOML. */
  readonly key: 'mcpServers' | 'servers' | undefined
  /** True: an entry says that it is started by stdin and stdout. */
  readonly isTyped: boolean
  /** It starts servers in the folder in which a person works, or names that folder to them. */
  readonly startsInFolder?: true
}

const inFolder =
  (user: (machine: ClientMachine) => string, ...project: readonly string[]): McpClient['file'] =>
  (machine, scope) => {
    if (scope === 'user') return user(machine)
    return scope === 'project' && project.length > 0 ? join(machine.cwd, ...project) : undefined
  }

/** docs/guides/mcp-clients.md names the source of each place and key. */
const mcpClients = {
  'claude-code': {
    title: 'Claude Code',
    file: inFolder(
      (machine) => (machine.env['CLAUDE_CONFIG_DIR'] ? join(claudeFolder(machine), '.claude.json') : join(homeOf(machine), '.claude.json')),
      '.mcp.json',
    ),
    key: 'mcpServers',
    isTyped: true,
    startsInFolder: true,
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: inFolder((machine) => join(applicationFolder(machine), 'Claude', 'claude_desktop_config.json')),
    key: 'mcpServers',
    isTyped: false,
  },
  codex: {
    title: 'Codex',
    file: inFolder((machine) => join(machine.env['CODEX_HOME'] || join(homeOf(machine), '.codex'), 'config.toml'), '.codex', 'config.toml'),
    key: undefined,
    isTyped: false,
  },
  cursor: {
    title: 'Cursor',
    file: inFolder((machine) => join(homeOf(machine), '.cursor', 'mcp.json'), '.cursor', 'mcp.json'),
    key: 'mcpServers',
    isTyped: false,
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    file: inFolder((machine) => join(homeOf(machine), '.gemini', 'settings.json'), '.gemini', 'settings.json'),
    key: 'mcpServers',
    isTyped: false,
  },
  vscode: {
    title: 'VS Code',
    file: inFolder((machine) => join(applicationFolder(machine), 'Code', 'User', 'mcp.json'), '.vscode', 'mcp.json'),
    key: 'servers',
    isTyped: true,
  },
} satisfies Readonly<Record<string, McpClient>>

export const mcpClientNames: readonly string[] = Object.keys(mcpClients)

export function mcpClientNamed(name: string): McpClient | undefined {
  const known: Readonly<Record<string, McpClient>> = mcpClients
  return Object.hasOwn(known, name) ? known[name] : undefined
}

/** Puts the entry into the text of a client's file. Of one that is there, command and arguments alone are changed. */
export function withServer(client: McpClient, text: string, { command, args }: ServerEntry): string {
  const standing = entryIn(client, text)
  if (standing !== undefined && !isServer(standing))
    throw new UneditableText(`${shownPlace(client)} has no command: rename it or take it out`)
  if (client.key === undefined) return withTomlEntry(text, entryName, { command, args })
  const file = new SettingsFile(text)
  const path = [client.key, entryName]
  if (standing === undefined) return file.with(path, { ...(client.isTyped ? { type: 'stdio' } : {}), command, args }).whole
  return file.with([...path, 'command'], command).with([...path, 'args'], args).whole
}

/** Puts the entry of one text into another. */
export function serverAgain(client: McpClient, before: string, now: string): string {
  const entry = entryIn(client, now)
  if (!isServer(entry)) return before
  if (client.key === undefined || entryIn(client, before) !== undefined) return withServer(client, before, commandOf(entry))
  return new SettingsFile(before).with([client.key, entryName], entry).whole
}

/**
 * Takes out the entry that install wrote, or gives it the command and arguments that it had in the copy. One that install did
 * not write stays.
 */
export function withoutServer(client: McpClient, text: string, copy?: string): string {
  if (!hasServer(client, text)) return text
  const earlier = copy === undefined ? undefined : entryIn(client, copy)
  if (isServer(earlier) && !isInstalled(earlier)) return withServer(client, text, commandOf(earlier))
  return client.key === undefined ? withoutTomlEntry(text, entryName) : new SettingsFile(text).without([client.key, entryName]).whole
}

/** Tells whether a text has an entry that install wrote. */
export function hasServer(client: McpClient, text: string): boolean {
  const entry = entryIn(client, text)
  return isServer(entry) && isInstalled(entry)
}

/** Gives the entry of a text as lines to show, without its neighbours. Of a value that install does not write, the name alone. */
export function shownServer(client: McpClient, text: string): string {
  const entry = entryIn(client, text)
  if (!isServer(entry)) return ''
  if (client.key === undefined) return withTomlEntry('', entryName, commandOf(entry))
  const fields = Object.entries(entry).map(([name, value]) => [name, ['type', 'command', 'args'].includes(name) ? value : '…'] as const)
  return JSON.stringify({ [client.key]: { [entryName]: Object.fromEntries(fields) } }, undefined, 2)
}

function entryIn({ key }: McpClient, text: string): unknown {
  return key === undefined ? tomlEntry(text, entryName) : new SettingsFile(text).at([key, entryName])
}

function shownPlace({ key }: McpClient): string {
  return `${key ?? tomlKey}.${entryName}`
}

/** An entry that starts a program. */
type Started = Readonly<Record<string, unknown>> & { readonly command: string; readonly args?: readonly string[] }

function isServer(entry: unknown): entry is Started {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false
  const { command, args = [] }: { readonly command?: unknown; readonly args?: unknown } = entry
  return typeof command === 'string' && Array.isArray(args) && args.every((arg) => typeof arg === 'string')
}

function commandOf({ command, args = [] }: Started): ServerEntry {
  return { command, args }
}

/** The line of an install: `… main.js mcp … --store …`, with its flags in any order. What a person writes by hand names no store so. */
const installedLine = /(?:^|[\s/\\])(?:main\.[jt]s|varve@[\w.+-]+)\s+mcp\s(?:.*\s)?--(?:store|url)[\s=]/s

function isInstalled({ command, args = [] }: Started): boolean {
  return installedLine.test([command, ...args].join(' '))
}

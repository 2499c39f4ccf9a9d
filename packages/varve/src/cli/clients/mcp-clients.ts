import { join } from 'node:path'
import { applicationFolder, claudeFolder, type ClientMachine, type ClientScope, homeOf } from './client-places.ts'
import { SettingsFile } from './json-file.ts'
import { type ServerEntry, tomlEntry, withoutTomlEntry, withTomlEntry } from './toml-file.ts'

/** The name of the entry in every client. */
const entryName = 'varve'

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

/** Puts the entry into the text of a client's file. */
export function withServer(client: McpClient, text: string, entry: ServerEntry): string {
  if (client.key === undefined) return withTomlEntry(text, entryName, entry)
  const file = new SettingsFile(text)
  const standing = file.at([client.key, entryName])
  // What a person added stays: a time-out, a variable.
  const more = typeof standing === 'object' && standing !== null && !Array.isArray(standing) ? standing : {}
  return file.with([client.key, entryName], { ...(client.isTyped ? { type: 'stdio' } : {}), ...more, ...entry }).whole
}

/** Puts the entry of one text into another. */
export function serverAgain(client: McpClient, before: string, now: string): string {
  if (client.key !== undefined)
    return new SettingsFile(before).with([client.key, entryName], new SettingsFile(now).at([client.key, entryName])).whole
  const entry = tomlEntry(now, entryName)
  return isServerEntry(entry) ? withTomlEntry(before, entryName, { command: entry.command, args: entry.args }) : before
}

function isServerEntry(entry: unknown): entry is ServerEntry {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'command' in entry &&
    typeof entry.command === 'string' &&
    'args' in entry &&
    isTexts(entry.args)
  )
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function withoutServer(client: McpClient, text: string): string {
  if (client.key === undefined) return withoutTomlEntry(text, entryName)
  const file = new SettingsFile(text)
  return file.at([client.key, entryName]) === undefined ? text : file.without([client.key, entryName]).whole
}

/** Tells whether a text has the entry. */
export function hasServer(client: McpClient, text: string): boolean {
  return (client.key === undefined ? tomlEntry(text, entryName) : new SettingsFile(text).at([client.key, entryName])) !== undefined
}

import { isDeepStrictEqual } from 'node:util'
import { parse, type TomlTable } from 'smol-toml'
import { UneditableText } from './json-file.ts'

/** An entry of a client: a program and its arguments. */
export interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
}

/** A line that begins a table. A line of a long string may look like one: each edit is read again and compared. */
const tableLine = /^[ \t]*\[/

/** Gives the entry of a table of servers; undefined where there is none. UneditableText for a text that is no TOML. */
export function tomlEntry(text: string, name: string): unknown {
  const servers = parsed(text)['mcp_servers']
  return isTable(servers) ? servers[name] : undefined
}

/** Puts `[mcp_servers.<name>]` at the end of a text, or in the place of the one that is there. */
export function withTomlEntry(text: string, name: string, { command, args }: ServerEntry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = [
    `[mcp_servers.${name}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
  ]
  const before = withoutTomlEntry(text, name)
  const gap = before === '' ? '' : before.endsWith('\n') ? eol : `${eol}${eol}`
  const after = `${before}${gap}${lines.join(eol)}${eol}`
  if (!isEdited(text, after, name, { command, args })) throw unsafe(name)
  return after
}

/** Takes `[mcp_servers.<name>]` and the tables behind it that are within it out of a text, and leaves every other byte. */
export function withoutTomlEntry(text: string, name: string): string {
  if (tomlEntry(text, name) === undefined) return text
  const own = new RegExp(String.raw`^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:${name}|"${name}"|'${name}')[ \t]*(?:\.[^\]]*)?\]`)
  const lines = text.split(/(?<=\n)/)
  for (const [place, line] of lines.entries()) {
    if (!own.test(line)) continue
    const after = withoutTables(lines, place, own)
    // A line of a long string may look like the table: then the rest is no TOML, or the entry is still there.
    if (isEdited(text, after, name, undefined)) return after
  }
  throw unsafe(name)
}

/** Leaves out a table, those behind it that are its own, and the empty line before it. */
function withoutTables(lines: readonly string[], from: number, own: RegExp): string {
  const length = lines.slice(from).findIndex((line) => tableLine.test(line) && !own.test(line))
  const before = lines.slice(0, from)
  if (before.at(-1)?.trim() === '') before.pop()
  return [...before, ...(length < 0 ? [] : lines.slice(from + length))].join('')
}

/** Tells whether a text differs from another in that entry alone. */
function isEdited(before: string, after: string, name: string, entry: unknown): boolean {
  try {
    return isDeepStrictEqual(restOf(before, name), restOf(after, name)) && isDeepStrictEqual(tomlEntry(after, name), entry)
  } catch (error) {
    if (error instanceof UneditableText) return false
    throw error
  }
}

function unsafe(name: string): UneditableText {
  return new UneditableText(`its mcp_servers are written in a way that cannot be edited safely: edit [mcp_servers.${name}] by hand`)
}

function restOf(text: string, name: string): unknown {
  const { mcp_servers: servers, ...rest } = parsed(text)
  if (!isTable(servers)) return { ...rest, ...(servers === undefined ? {} : { mcp_servers: servers }) }
  const others = Object.entries(servers).filter(([other]) => other !== name)
  return others.length === 0 ? rest : { ...rest, mcp_servers: Object.fromEntries(others) }
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): TomlTable {
  try {
    // A copy: the parser's tables have no prototype, and would equal no other object.
    return structuredClone(parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: true }))
  } catch (error) {
    const [reason = 'it is no TOML'] = error instanceof Error ? error.message.split('\n') : []
    throw new UneditableText(reason)
  }
}

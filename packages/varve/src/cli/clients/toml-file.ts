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

/** Puts `[mcp_servers.<name>]` at the end of a text, or changes command and arguments of the one that is there. */
export function withTomlEntry(text: string, name: string, { command, args }: ServerEntry): string {
  const standing = tomlEntry(text, name)
  const values = { command: JSON.stringify(command), args: `[${args.map((arg) => JSON.stringify(arg)).join(', ')}]` }
  const after = standing === undefined ? withTable(text, name, values) : withValues(text, name, values)
  if (isEdited(text, after, name, { ...(isTable(standing) ? standing : {}), command, args })) return after
  throw unsafe(name)
}

/** Values of a table, as TOML writes them. */
type Values = Readonly<Record<string, string>>

function withTable(text: string, name: string, values: Values): string {
  const eol = eolOf(text)
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`
  const lines = [`[mcp_servers.${name}]`, ...Object.entries(values).map(([key, value]) => `${key} = ${value}`)]
  return `${text}${gap}${lines.join(eol)}${eol}`
}

/** Changes values of a table where they stand, and leaves every other byte. */
function withValues(text: string, name: string, values: Values): string {
  const header = new RegExp(String.raw`^${headerOf(name)}\][^\n]*\n?`, 'm').exec(text)
  const from = header === null ? 0 : header.index + header[0].length
  const length = text.slice(from).search(/^[ \t]*\[/m)
  const end = length < 0 ? text.length : from + length
  const body = Object.entries(values).reduce((now, [key, value]) => withValue(now, key, value, eolOf(text)), text.slice(from, end))
  return `${text.slice(0, from)}${body}${text.slice(end)}`
}

function withValue(body: string, key: string, value: string, eol: string): string {
  const stated = new RegExp(String.raw`^[ \t]*(?:${key}|"${key}"|'${key}')[ \t]*=[ \t]*`, 'm').exec(body)
  if (stated === null) return `${key} = ${value}${eol}${body}`
  const from = stated.index + stated[0].length
  return `${body.slice(0, from)}${value}${body.slice(endOfValue(body, from))}`
}

/** Returns the end of a text's or a list's value: nothing but a comment is behind it on its line. */
function endOfValue(body: string, from: number): number {
  for (const sign of body.slice(from).matchAll(/["'\]]/g)) {
    const end = from + sign.index + 1
    if (/^[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/.test(body.slice(end)) && isToml(`x = ${body.slice(from, end)}`)) return end
  }
  return from
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** The pattern of a table's header, without its end. */
function headerOf(name: string): string {
  return String.raw`[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:${name}|"${name}"|'${name}')[ \t]*`
}

/** Takes `[mcp_servers.<name>]` and the tables behind it that are within it out of a text, and leaves every other byte. */
export function withoutTomlEntry(text: string, name: string): string {
  if (tomlEntry(text, name) === undefined) return text
  const own = new RegExp(String.raw`^${headerOf(name)}(?:\.[^\]]*)?\]`)
  const lines = text.split(/(?<=\n)/)
  for (const [place, line] of lines.entries()) {
    if (!own.test(line)) continue
    const after = withoutTables(lines, place, own)
    // A line of a long string may look like the table: then the rest is no TOML, or the entry is still there.
    if (isEdited(text, after, name, undefined)) return after
  }
  throw unsafe(name)
}

/** Leaves out a table, those behind it that are its own, and the empty lines around them. Comments behind its last value stay. */
function withoutTables(lines: readonly string[], from: number, own: RegExp): string {
  const length = lines.slice(from).findIndex((line) => tableLine.test(line) && !own.test(line))
  const tables = lines.slice(from, length < 0 ? undefined : from + length)
  const end = from + tables.findLastIndex((line) => !/^\s*(?:#|$)/.test(line)) + 1
  const blank = lines.slice(end).findIndex((line) => line.trim() !== '')
  const before = lines.slice(0, from)
  if (before.at(-1)?.trim() === '') before.pop()
  return [...before, ...(blank < 0 ? [] : lines.slice(end + blank))].join('')
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

function isToml(text: string): boolean {
  try {
    return parsed(text) !== undefined
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

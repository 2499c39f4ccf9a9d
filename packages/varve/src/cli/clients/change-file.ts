import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../command-error.ts'
import { shellQuoted, thisLine } from '../next-command.ts'
import { shell } from '../shell.ts'
import { harmless, note, print, printJson } from '../terminal.ts'
import { UneditableText } from './json-file.ts'

export interface ChangeFlags {
  readonly json?: boolean
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** A change of a file of another program. */
export interface FileChange {
  readonly file: string
  /** Makes the new text of the old one, and of the copy of before where there is one. UneditableText when it cannot. */
  readonly edit: (text: string, copy?: string) => string
  /** Tells whether a text has entries that install wrote. */
  readonly has: (text: string) => boolean
  /** Gives the entries of a text as lines to show. What stands beside them may be another server's keys. */
  readonly shown: (text: string) => string
  /** Puts the entries of one text into another. Present where entries are taken out. */
  readonly again?: (before: string, now: string) => string
  /** Says of the new text what was done: `Installed`, `Removed`. */
  readonly done: (after: string) => string
}

/** The largest file that is changed. Claude Code keeps much in its own. */
const maxBytes = 32 * 1024 * 1024

/** Gives the copy of a file as it was before Varve's first entry in it. */
export function backupOf(file: string): string {
  return `${file}.before-varve`
}

/**
 * Changes a file of another program: shows the changed lines, asks on a terminal, keeps a copy, and writes atomically. The
 * file keeps its mode, and a link stays a link.
 */
export async function changeFile(change: FileChange, flags: ChangeFlags): Promise<void> {
  const { file } = change
  const before = readText(file)
  const after = before === undefined ? edited(change, '') : (restored(change, before) ?? edited(change, before))
  if (after === (before ?? '')) return tell(flags, { file, changed: false }, [nothingToDo(change, after)])
  const diff = await shownDiff(change, before ?? '', after)
  if (flags.json !== true) print(diff)
  if (flags.dryRun === true) return tell(flags, { file, changed: false, diff }, ['Nothing was written.'])
  if (!(await isWanted(file, flags, diff))) return
  if (readText(file) !== before) throw cannot(file, 'it was changed in the meantime. Nothing was written.')
  const backup = await write(change, before, after).catch((error: unknown) => refuseAccess(file, 'written', error))
  const copy = backup === undefined ? [] : [`Its text of before is in ${backup}`]
  tell(flags, { file, changed: true, diff, ...(backup === undefined ? {} : { backup }) }, [`${change.done(after)}: ${file}`, ...copy])
}

function nothingToDo({ file, again, shown }: FileChange, text: string): string {
  if (again === undefined) return `Nothing to do: ${file} is as it should be.`
  const left = shown(text) === '' ? 'has nothing that install wrote.' : 'has an entry that install did not write. It stays.'
  return `Nothing to do: ${file} ${left}`
}

function edited(change: FileChange, text: string): string {
  const { file, edit } = change
  try {
    return edit(text, change.again === undefined ? undefined : copyOf(change))
  } catch (error) {
    if (!(error instanceof UneditableText)) throw error
    throw cannot(file, `it cannot be edited: ${error.message}. Nothing was written.`, error)
  }
}

/** Returns the text of the copy, byte for byte, when the file differs from it in Varve's entries alone. */
function restored(change: FileChange, before: string): string | undefined {
  const { again } = change
  const copy = again === undefined ? undefined : copyOf(change)
  if (copy === undefined) return undefined
  return orUnedited(() => (change.has(before) && !change.has(copy) && again?.(copy, before) === before ? copy : undefined))
}

/** Returns the text of before Varve's first entry; undefined when there is no copy, or it cannot be read as settings. */
function copyOf({ file, shown }: FileChange): string | undefined {
  const copy = readText(backupOf(file))
  return copy === undefined || orUnedited(() => shown(copy)) === undefined ? undefined : copy
}

function orUnedited<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof UneditableText) return undefined
    throw error
  }
}

function readText(file: string): string | undefined {
  const found = statOf(file)
  if (found === undefined) return undefined
  if (!found.isFile()) throw cannot(file, 'it is no file.')
  if (found.size > maxBytes) throw cannot(file, `it has more than ${maxBytes} bytes.`)
  const bytes = readFileSync(file)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw cannot(file, 'it is not UTF-8.')
  return text
}

/** Looks at the goal of a link. A link to nothing would be replaced by a file. */
function statOf(file: string): Stats | undefined {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    return statSync(file)
  } catch (error) {
    if (isSystemError(error) && ['ENOENT', 'ELOOP'].includes(error.code))
      throw cannot(file, 'it is a link to a file that is not there.', error)
    return refuseAccess(file, 'read', error)
  }
}

function refuseAccess(file: string, done: 'read' | 'written', error: unknown): never {
  throw isSystemError(error) ? cannot(file, `it cannot be ${done} (${error.code}).`, error) : error
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}

function cannot(file: string, reason: string, cause?: unknown): CommandError {
  const facts = { code: 'CLIENT_FILE', exitCode: 1, next: `ls -l ${shellQuoted(file)}` } as const
  return new CommandError(`${file}: ${reason}`, facts, { cause })
}

/** Shows the lines of Varve's entries that come and go. */
async function shownDiff({ file, shown }: FileChange, before: string, after: string): Promise<string> {
  const { structuredPatch } = await import('diff')
  const { hunks } = structuredPatch(file, file, shown(before), shown(after), undefined, undefined, { context: 0 })
  return harmless([`--- ${file}`, ...withoutCommas(hunks.flatMap(({ lines }) => lines))].join('\n'))
}

/** Leaves out a line that only got or lost the comma at its end. */
function withoutCommas(lines: readonly string[]): readonly string[] {
  const bare = (line: string): string => line.slice(1).replace(/,$/, '')
  const gone = new Set(lines.filter((line) => line.startsWith('-')).map(bare))
  const come = new Set(lines.filter((line) => line.startsWith('+')).map(bare))
  return lines.filter((line) => !line.startsWith('\\') && !(gone.has(bare(line)) && come.has(bare(line))))
}

async function isWanted(file: string, { yes, json }: ChangeFlags, diff: string): Promise<boolean> {
  if (yes === true) return true
  const next = thisLine('--yes')
  if (json !== true && shell().stdin.isTTY === true && shell().stderr.isTTY === true) {
    const { confirm, isCancel } = await import('@clack/prompts')
    const answer = await confirm({ message: `Write this to ${file}?`, initialValue: true, output: shell().stderr, withGuide: false })
    if (answer === true) return true
    if (isCancel(answer)) throw new CommandError('stopped. Nothing was written.', { code: 'INTERRUPTED', exitCode: 130, next })
  }
  tell({ ...(json === undefined ? {} : { json }) }, { file, changed: false, diff, next }, ['Nothing was written yet.', `Next: ${next}`])
  return false
}

/** Writes a text, or removes a file that holds what install makes of nothing. Returns the path of the copy that was made. */
async function write(change: FileChange, before: string | undefined, after: string): Promise<string | undefined> {
  const { file, again, has } = change
  const { default: writeFileAtomic } = await import('write-file-atomic')
  const backup = backupOf(file)
  if (again !== undefined) {
    const isOwn = (text = ''): boolean => text !== '' && again('', text) === text
    // A copy may be of Varve's own file: an install with other flags made it.
    const isOwnFile = isOwn(before) && (!existsSync(backup) || isOwn(copyOf(change)))
    if (isOwnFile) rmSync(file)
    else await writeFileAtomic(file, after)
    if (isOwnFile || (existsSync(backup) && readFileSync(backup, 'utf8') === after)) rmSync(backup, { force: true })
    return undefined
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const isKept = before !== undefined
  // An entry of the same name that was there before, or a copy that is gone, needs a copy as well.
  const isFirst = isKept && (!has(before) || !existsSync(backup))
  if (isFirst) {
    // Somebody else's folder may hold a link in the copy's place: its goal would get the text.
    rmSync(backup, { force: true })
    writeFileSync(backup, before, { mode: statSync(file).mode & 0o777, flag: 'wx' })
  }
  await writeFileAtomic(file, after, isKept ? {} : { mode: 0o600 })
  return isFirst ? backup : undefined
}

function tell({ json }: ChangeFlags, data: object, lines: readonly string[]): void {
  if (json === true) printJson(data)
  else for (const line of lines) note(line)
}

import { dirname } from 'node:path'
import { CommanderError } from 'commander'
import { NotFound } from '../errors/not-found.ts'
import { StaleRevision } from '../errors/stale-revision.ts'
import { type ErrorCode, VarveError } from '../errors/varve-error.ts'
import { CommandError } from './command-error.ts'
import type { GlobalFlags } from './global-flags.ts'
import { commandLine, shellQuoted, thisLine, whose } from './next-command.ts'
import { note, paint } from './terminal.ts'
import { shell } from './shell.ts'

interface Failure {
  readonly code: string
  readonly message: string
  readonly exitCode: number
  /** A command to type. */
  readonly next: string
}

/** The place of a failure: the command's name, its store, and the flags that name a memory. */
export interface CommandPlace {
  readonly command: string | undefined
  readonly file: string
  readonly flags: GlobalFlags
}

type NextOf = (place: CommandPlace, error?: VarveError) => string

const help: NextOf = ({ command }) => commandLine(...(command === undefined ? [] : [command]), '--help')
const again: NextOf = () => thisLine()
const doctor: NextOf = ({ flags }) => commandLine('doctor', ...whose(flags))

/** Gives the command that lists things of the missing kind. */
const list: NextOf = ({ command, flags }, error) => {
  const shared = shell().args.includes('--shared') ? ['--shared'] : []
  const kind = error instanceof NotFound ? error.kind : undefined
  if (kind === 'fact') return commandLine('facts', ...whose(flags))
  if (kind === 'instruction') return commandLine('instructions', '--ended', ...whose(flags))
  if (kind === 'receipt') return commandLine('receipts', ...whose(flags))
  if (kind === 'pending forget') return commandLine('pending-forget', ...whose(flags))
  if (kind === 'session') return commandLine('sessions', ...whose(flags))
  if (error instanceof NotFound && kind === 'notes') return commandLine('notes', 'update', error.id, ...whose(flags))
  if (command === 'blocks' || command === 'documents') return commandLine(command, ...shared, ...whose(flags))
  if (command === 'notes') return commandLine('notes', ...whose(flags))
  return command === 'bank' ? commandLine('bank', 'entries', ...shared, ...whose(flags)) : commandLine('sessions', ...whose(flags))
}

/** Gives the command that shows the standing revision, after a stale edit. */
const standing: NextOf = ({ command, flags }, error) => {
  const page = error instanceof StaleRevision ? error.page : ''
  if (command === 'notes') return commandLine('notes', 'show', page.replace(/^notes of /, ''), ...whose(flags))
  const shared = shell().args.includes('--shared') ? ['--shared'] : []
  return error instanceof StaleRevision && error.standing === 0
    ? commandLine('documents', ...shared, ...whose(flags))
    : commandLine('documents', 'read', page, '--lines', ...shared, ...whose(flags))
}

/** Errors in the input of the caller: exit code 2. */
const usage: ReadonlySet<ErrorCode> = new Set([
  'BUDGET_EXCEEDED',
  'CONFIGURATION_INVALID',
  'LIMIT_EXCEEDED',
  'MESSAGE_INVALID',
  'OPTION_INVALID',
  'SCOPE_INVALID',
])

const nextOf: Readonly<Record<ErrorCode, NextOf>> = {
  APPEND_INCOMPLETE: ({ flags }) => commandLine('sessions', ...whose(flags)),
  BUDGET_EXCEEDED: help,
  CANCELLED: again,
  CONFIGURATION_INVALID: help,
  DEADLINE_EXCEEDED: again,
  ENGINE_INTERRUPTED: again,
  ENGINE_OVERLOADED: again,
  EXPORT_BROKEN: () => commandLine('import', '--help'),
  EXPORT_INTERRUPTED: again,
  EMPTY_SESSION: ({ flags }) => commandLine('sessions', ...whose(flags)),
  DISK_FULL: ({ file }) => `df -h ${shellQuoted(dirname(file))}`,
  FORBIDDEN: () => commandLine('keys', 'list'),
  IDEMPOTENCY_REUSED: help,
  IMPORT_FAILED: () => commandLine('import', '--help'),
  ISOLATION_WARNING: help,
  LIMIT_EXCEEDED: help,
  MEMORY_CLOSED: again,
  MESSAGE_INVALID: help,
  MODEL_FAILED: doctor,
  NOT_FOUND: list,
  OPTION_INVALID: help,
  PACKAGE_FILE_MISSING: () => 'npm install varve',
  RATE_LIMITED: again,
  REQUEST_INVALID: help,
  SCHEMA_TOO_NEW: () => commandLine('--version'),
  SCOPE_INVALID: help,
  SERVER_UNREACHABLE: again,
  STALE_REVISION: standing,
  STORE_BUSY: again,
  STORE_DAMAGED: ({ file }) => `sqlite3 ${shellQuoted(file)} .recover`,
  STORE_FAILED: doctor,
  STORE_FOREIGN: help,
  STORE_GONE: ({ file }) => `ls -ld ${shellQuoted(file)} ${shellQuoted(dirname(file))}`,
  STORE_READ_ONLY: ({ file }) => `ls -ld ${shellQuoted(file)} ${shellQuoted(dirname(file))}`,
  STORE_UNREACHABLE: again,
  UNAUTHENTICATED: () => commandLine('keys', 'list'),
}

/** Prints an error and the next command to stderr. Returns the exit code. */
export function reportFailure(error: unknown, place: CommandPlace, json: boolean): number {
  const { exitCode, ...told } = failureOf(error, place)
  if (json) note(JSON.stringify({ error: told }))
  else note(`${paint('red', 'varve:', shell().stderr)} ${told.message}\nNext: ${told.next}`)
  return exitCode
}

function failureOf(error: unknown, place: CommandPlace): Failure {
  if (error instanceof CommandError) return { code: error.code, message: error.message, exitCode: error.exitCode, next: error.next }
  if (error instanceof CommanderError) return { code: 'USAGE', message: usageMessage(error), exitCode: 2, next: help(place) }
  if (VarveError.is(error)) {
    return { code: error.code, message: error.message, exitCode: usage.has(error.code) ? 2 : 1, next: nextOf[error.code](place, error) }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'UNEXPECTED', message, exitCode: 1, next: doctor(place) }
}

function usageMessage(error: CommanderError): string {
  if (error.code === 'commander.help') return 'no command was given.'
  return error.message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)$/, ': did you mean $1?')
}

import { statSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import type { Memory } from '../memory/memory.ts'
import { isPostgres } from '../memory/places.ts'
import { isThere, shownStore } from '../memory/stores/standing-store.ts'
import { defaultProject } from '../scope/scope.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { Manifest } from './manifest.ts'
import { commandLine, whose, whoseStore } from './next-command.ts'
import { scopeOf, storeFile, withStore } from './open-store.ts'
import { dueWork, type ShownUpkeepStatus } from './render/due-work.ts'
import { waitingLine } from './render/upkeep.ts'
import { columns, counted, harmless, minute, paint, paragraph, print } from './terminal.ts'

/** The most projects, and the most users of a project, that are shown. */
const mostProjects = 5
const mostUsers = 8

/** One memory of the store: of a user, or of a project's anonymous user. */
interface ShownMemory {
  readonly project: string
  /** Undefined for the anonymous user. */
  readonly user: string | undefined
  readonly messages: number
  readonly sessions: number
  readonly lastSeen: number | undefined
}

interface ShownStore {
  readonly memories: readonly ShownMemory[]
  readonly moreProjects: boolean
  /** The projects with more users than are shown. */
  readonly crowded: ReadonlySet<string>
  readonly status: ShownUpkeepStatus
}

/**
 * Prints what the store holds and what to do next: the answer to `varve` alone on a terminal. It names every user, since
 * whoever can read the file can read all of it.
 */
export async function printOverview(flags: GlobalFlags, { version }: Manifest): Promise<void> {
  const file = storeFile(flags)
  scopeOf(flags)
  print(`${paint('bold', `Varve ${version}`)}: long-term memory for LLM agents.\n`)
  if (!isThere(file)) return printBeginning(file, flags)
  const found = await withStore(flags, (_handle, memory) => lookAround(memory), { of: 'store' })
  print(paint('bold', isPostgres(file) ? shownStore(file) : `${shortPath(file)}, ${(statSync(file).size / 1024 / 1024).toFixed(1)} MB`))
  printMemories(found)
  printWork(found)
  printNext(found, flags)
}

function shortPath(file: string): string {
  const near = relative('.', file)
  return near.startsWith('..') || isAbsolute(near) ? file : `./${near}`
}

async function lookAround(memory: Memory): Promise<ShownStore> {
  const projects = await memory.projects.list({ limit: mostProjects + 1 })
  const memories: ShownMemory[] = []
  const crowded = new Set<string>()
  for (const { name: project } of projects.slice(0, mostProjects)) {
    const users = await memory.project(project).users({ limit: mostUsers + 1 })
    if (users.length > mostUsers) crowded.add(project)
    for (const user of [undefined, ...users.slice(0, mostUsers)]) {
      const { counts, lastSeen } = await memory.for(user === undefined ? { project } : { project, user }).profile()
      if (user !== undefined || counts.messages > 0 || users.length === 0) memories.push({ project, user, ...counts, lastSeen })
    }
  }
  return { memories, crowded, moreProjects: projects.length > mostProjects, status: await memory.upkeep.status() }
}

function printMemories({ memories, crowded, moreProjects }: ShownStore): void {
  if (memories.length === 0) return print('  Nothing was said here yet.')
  const named = (user: string | undefined): string => (user === undefined ? 'the anonymous user' : harmless(user))
  const width = Math.max(...memories.map(({ user }) => named(user).length))
  for (const [project, of] of Map.groupBy(memories, (one) => one.project)) {
    print(`  project ${paint('cyan', harmless(project))}`)
    for (const { user, messages, sessions, lastSeen } of of) {
      const last = lastSeen === undefined ? '' : paint('dim', `, last ${minute(lastSeen)}`)
      print(`    ${named(user).padEnd(width)}  ${counted(messages, 'message')} in ${counted(sessions, 'session')}${last}`)
    }
    if (crowded.has(project)) print(paint('dim', '    … more users'))
  }
  if (moreProjects) print(paint('dim', '  … more projects'))
}

function printWork({ status }: ShownStore): void {
  const due = dueWork(status)
  const lines = [
    due === undefined ? 'No work is due.' : `Due: ${due}.`,
    waitingLine(status.waiting),
    ...(status.failures.length > 0 ? [`${counted(status.failures.length, 'piece')} of work failed: varve upkeep status tells why.`] : []),
  ]
  const width = columns()
  print(['', ...lines.flatMap((line) => (line === undefined ? [] : paragraph(line, { indent: '', width })))].join('\n'))
}

function printNext({ memories, status }: ShownStore, flags: GlobalFlags): void {
  // The memory that the flags name, or the first with messages: its question finds something.
  const own = memories.find(({ project, user }) => project === (flags.project ?? defaultProject) && user === flags.user)
  const meant = (own?.messages ?? 0) > 0 ? undefined : memories.find(({ messages }) => messages > 0)
  const of = meant === undefined ? whose(flags) : whose(naming(meant, flags))
  printCommands([
    [commandLine('recall', 'a question', ...of), 'finds messages'],
    [commandLine('sessions', ...of), 'lists the conversations'],
    ...(dueWork(status) === undefined ? [] : [[commandLine('upkeep', ...whoseStore(flags)), 'does the due work'] as const]),
    [commandLine('--help'), 'lists all commands'],
  ])
}

/** Gives the flags that name a memory. */
function naming({ project, user }: ShownMemory, { user: _user, ...flags }: GlobalFlags): GlobalFlags {
  return { ...flags, ...(project === defaultProject ? {} : { project }), ...(user === undefined ? {} : { user }) }
}

function printBeginning(file: string, flags: GlobalFlags): void {
  print(`There is no store at ${shortPath(file)} yet: the first message makes it.`)
  const of = whose(flags)
  printCommands([
    [commandLine('import', 'export.zip', ...of), 'reads ChatGPT, Claude, …'],
    [commandLine('append', 'monday', 'The key hangs in the bait shop.', ...of), 'stores a message'],
    [commandLine('recall', 'where is the key?', ...of), 'finds it again'],
    [commandLine('--help'), 'lists all commands'],
  ])
}

/** Prints commands to type, each with its effect: beside it where all of them have room, else on a line before it. */
function printCommands(commands: readonly (readonly [line: string, effect: string])[]): void {
  const longest = Math.max(...commands.map(([line]) => line.length))
  const room = (columns() ?? 80) - longest - 4
  const isBeside = commands.every(([, effect]) => effect.length <= room)
  print(`\n${paint('bold', 'Type next')}`)
  for (const [line, effect] of commands) {
    print(isBeside ? `  ${line.padEnd(longest)}  ${paint('dim', effect)}` : `  ${paint('dim', `# ${effect}`)}\n  ${line}`)
  }
}

import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import type { ListOptions } from '../../operations/list.ts'
import { projectsOperations } from '../../operations/store.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { wrongUsage } from '../command-error.ts'
import type { GlobalFlags, YesFlags } from '../global-flags.ts'
import { commandLine, whoseStore } from '../next-command.ts'
import { withNewStore, withStore } from '../open-store.ts'
import { showErasure } from '../forget-or-show.ts'
import { printReceipt } from '../render/receipt.ts'
import { counted, harmlessLine, minute, note, print, printJson } from '../terminal.ts'
import { wholeList } from '../whole-list.ts'
import { NotFound } from '../../errors/not-found.ts'

const ofStore = { of: 'store' } as const

export function addProjects(program: Command): void {
  const projects = addCommand(program, 'projects', projectsOperations.list, list, {
    about: 'lists the projects of the store by name; creates or deletes one',
  })
  addCommand(projects, 'create <name>', projectsOperations.create, create)
  addCommand(projects, 'delete <name>', projectsOperations.delete, remove, {
    about: 'forgets everything of a project, for all of its users; without --yes, it only says what would go',
  }).option('--yes', 'deletes, in place of a preview')
}

async function list({ limit }: ListOptions, flags: GlobalFlags): Promise<void> {
  const projects = await withStore(flags, (_handle, memory) => wholeList(limit, (options) => memory.projects.list(options)), ofStore)
  if (flags.json === true) return printJson({ projects })
  if (projects.length === 0) return note('No project: nothing was stored yet.')
  for (const { name, createdAt } of projects) print(`${minute(createdAt)}  ${harmlessLine(name)}`)
}

async function create({ name }: InputOf<typeof projectsOperations.create>, flags: GlobalFlags): Promise<void> {
  refuseScope('create', flags)
  await withNewStore(flags, (_handle, memory) => memory.projects.create(name), ofStore)
  if (flags.json === true) return printJson({ project: name })
  print(`The project ${harmlessLine(name)} is there.`)
  note(`Next: ${commandLine('settings', '--project', name, ...whoseStore(flags))}`)
}

async function remove({ name }: InputOf<typeof projectsOperations.delete>, flags: YesFlags): Promise<void> {
  refuseScope('delete', flags)
  await withStore(
    flags,
    async (_handle, memory) => {
      if (flags.yes === true) return printReceipt('Deleted', await memory.projects.delete(name), memory, flags)
      // A slip in the name must not look like a project that is already gone.
      if (!(await isThere(memory, name))) throw new NotFound({ kind: 'project', id: name })
      let users = 0
      for await (const _user of memory.project(name).users()) users += 1
      const many = counted(users, 'named user')
      showErasure({ project: name, users }, [`${harmlessLine(name)}: ${many}.`], 'All of it would be forgotten.', flags)
    },
    ofStore,
  )
}

async function isThere(memory: Memory, name: string): Promise<boolean> {
  for await (const project of memory.projects.list()) if (project.name === name) return true
  return false
}

/** The name by place and another in a flag would be two projects. */
function refuseScope(command: string, { project }: GlobalFlags): void {
  if (project === undefined) return
  throw wrongUsage(
    'the project is named by its place: leave out --project, and unset VARVE_PROJECT.',
    commandLine('projects', command, '--help'),
  )
}

import type { Command } from 'commander'
import type { ListOptions } from '../../operations/list.ts'
import { projectOperations } from '../../operations/project.ts'
import { defaultProject } from '../../scope/scope.ts'
import { addCommand } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { harmlessLine, note, print, printJson } from '../terminal.ts'
import { wholeList } from '../whole-list.ts'

export function addUsers(program: Command): void {
  addCommand(program, 'users', projectOperations.users, list, { about: 'lists the named users of a project, in order' })
}

async function list({ limit }: ListOptions, flags: GlobalFlags): Promise<void> {
  const { project = defaultProject } = flags
  const users = await withStore(flags, (_handle, memory) => wholeList(limit, (options) => memory.project(project).users(options)), {
    of: 'store',
  })
  if (flags.json === true) return printJson({ project, users })
  if (users.length === 0) return note(`No named user in project ${harmlessLine(project)}.`)
  for (const user of users) print(harmlessLine(user))
}

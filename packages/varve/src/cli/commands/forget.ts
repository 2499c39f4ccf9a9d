import type { Command } from 'commander'
import type { UserMemory } from '../../memory/user-memory.ts'
import { userOperations } from '../../operations/user.ts'
import { addCommand } from '../add-command.ts'
import { wrongUsage } from '../command-error.ts'
import { forgetOrShow } from '../forget-or-show.ts'
import { ownFlags, type YesFlags } from '../global-flags.ts'
import { commandLine } from '../next-command.ts'
import { withStore } from '../open-store.ts'

type ForgetFlags = YesFlags & Parameters<UserMemory['forget']>[0]

const after = `
--session, --before and --messages narrow each other. Without --yes
nothing is done.

  $ varve forget --session monday
  $ varve forget --before 2025-01-01 --yes`

export function addForget(program: Command): void {
  addCommand(program, 'forget', userOperations.forget, (_input, flags: ForgetFlags) => forget(flags), {
    about: 'erases messages and all that rests on them; without --yes, it only shows a preview',
    help: { all: 'everything of this user' },
    except: ['what'],
    inside: 'what',
  })
    .option('--yes', 'erases, in place of a preview')
    .addHelpText('after', after)
}

async function forget(flags: ForgetFlags): Promise<void> {
  const { yes: _yes, ...what } = ownFlags(flags)
  if (Object.keys(what).length === 0) {
    throw wrongUsage('say what to forget: --session, --before or --messages, or --all.', commandLine('forget', '--help'))
  }
  await withStore(flags, (handle, memory) => forgetOrShow(handle, memory, what, flags))
}

import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { time } from '../flag-values.ts'
import { forgetOrShow } from '../forget-or-show.ts'
import { type GlobalFlags, ownFlags } from '../global-flags.ts'
import { commandLine } from '../next-command.ts'
import { withStore } from '../open-store.ts'

interface ForgetFlags extends GlobalFlags {
  readonly session?: string
  readonly before?: string
  readonly messages?: readonly string[]
  readonly all?: boolean
  readonly yes?: boolean
}

const after = `
--session, --before and --messages together narrow what is meant. Without --yes
nothing is done.

  $ varve forget --session monday
  $ varve forget --before 2025-01-01 --yes`

export function addForget(program: Command): void {
  program
    .command('forget')
    .description('erase messages and all that rests on them: shows what would go; does it with --yes')
    .option('--session <id>', 'a session')
    .option('--before <time>', 'what was said before: ISO 8601 with its offset, or a UTC day', time)
    .option('--messages <id...>', 'messages by their ids')
    .option('--all', 'everything of this user')
    .option('--yes', 'do it')
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => forget(command.optsWithGlobals<ForgetFlags>()))
}

async function forget(flags: ForgetFlags): Promise<void> {
  const { yes: _yes, ...what } = ownFlags(flags)
  if (Object.keys(what).length === 0) {
    throw new CommandError('say what to forget: --session, --before or --messages, or --all.', {
      code: 'USAGE',
      exitCode: 2,
      next: commandLine('forget', '--help'),
    })
  }
  await withStore(flags, (handle, memory) => forgetOrShow(handle, memory, what, flags))
}

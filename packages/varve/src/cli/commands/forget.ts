import type { Command } from 'commander'
import type { UserMemory } from '../../memory/user-memory.ts'
import { userOperations } from '../../operations/user.ts'
import { addCommand } from '../add-command.ts'
import { wrongUsage } from '../command-error.ts'
import { forgetOrShow } from '../forget-or-show.ts'
import { ownFlags, type YesFlags } from '../global-flags.ts'
import { commandLine } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { replayFile } from '../replay.ts'

type ForgetFlags = YesFlags & Parameters<UserMemory['forget']>[0] & { readonly replay?: string }

const after = `
--session, --before and --messages narrow each other. Without --yes
nothing is done.

  $ varve forget --session monday
  $ varve forget --before 2025-01-01 --yes

--replay erases again, in a restored backup, what the receipts of the newer
store say. What was recorded after a receipt stays.

  $ varve receipts --all --json > receipts.jsonl
  $ varve forget --replay receipts.jsonl --yes --store restored.db`

export function addForget(program: Command): void {
  addCommand(program, 'forget', userOperations.forget, (_input, flags: ForgetFlags) => forget(flags), {
    about: 'erases messages and all that rests on them; without --yes, it only shows a preview',
    help: { all: 'everything of this user' },
    except: ['what'],
    inside: 'what',
  })
    .option('--yes', 'erases, in place of a preview')
    .option('--replay <file>', 'erases again what the receipts in the lines of a file say; - is stdin')
    .addHelpText('after', after)
}

async function forget(flags: ForgetFlags): Promise<void> {
  const { yes: _yes, replay, ...what } = ownFlags(flags)
  if (replay !== undefined) return replayFile(replay, Object.keys(what).length > 0, flags)
  if (Object.keys(what).length === 0) {
    throw wrongUsage('say what to forget: --session, --before or --messages, or --all, or --replay.', commandLine('forget', '--help'))
  }
  await withStore(flags, (handle, memory) => forgetOrShow(handle, memory, what, flags))
}

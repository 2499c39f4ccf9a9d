import type { Command } from 'commander'
import { userOperations } from '../../operations/user.ts'
import { addCommand } from '../add-command.ts'
import { withStore } from '../open-store.ts'
import { printRecalled } from '../render/recalled.ts'

const after = `
Questions are words, never syntax. When nothing matches, stdout is empty and the
exit code is 0.

  $ varve recall where does the spare key hang
  $ varve recall "the price of soup" --from 2026-04-01 --to 2026-04-30 --limit 3 --json
  $ varve recall "the price of soup" --kinds gist,bank`

export function addRecall(program: Command): void {
  addCommand(program, 'recall <query...>', userOperations.recall, async ({ query, ...options }, flags) => {
    const recalled = await withStore(flags, (handle) => handle.recall(query, options))
    printRecalled(recalled, flags, 'No match: nothing in this memory says any of that.')
  }).addHelpText('after', after)
}

import type { Command } from 'commander'
import { contextOperation } from '../../operations/context.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { accountLines } from '../render/account.ts'
import { note, printJson, printWhole } from '../terminal.ts'

const after = `
The text goes to stdout, to be put in front of a model. The list of its items,
and of the items left out, goes to stderr.

  $ varve context "where is the key?" --session monday --max-tokens 1000 > prompt.txt`

export function addContext(program: Command): void {
  addCommand(program, 'context <query...>', contextOperation, context, { except: ['tiers'] }).addHelpText('after', after)
}

async function context(input: InputOf<typeof contextOperation, 'tiers'>, flags: GlobalFlags): Promise<void> {
  const assembled = await withStore(flags, (handle) => handle.context(input))
  if (flags.json === true) return printJson(assembled)
  if (assembled.text !== '') printWhole(assembled.text)
  for (const line of accountLines(assembled)) note(line)
}

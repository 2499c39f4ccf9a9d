import type { Command } from 'commander'
import { number } from '../flag-values.ts'
import { type GlobalFlags, ownFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { accountLines } from '../render/account.ts'
import { harmless, note, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'

interface ContextFlags extends GlobalFlags {
  readonly session?: string
  readonly maxTokens?: number
  readonly persona?: string
}

const after = `
The text goes to stdout, to be put in front of a model; what it is made of, and
what was left out, goes to stderr.

  $ varve context "where is the key?" --session monday --max-tokens 1000 > prompt.txt`

export function addContext(program: Command): void {
  program
    .command('context')
    .description('put together what a model should read, within a token budget')
    .argument('<question...>', 'the new message, or the question to remember for')
    .option('--session <id>', 'the running session: its newest turns are shown')
    .option('--max-tokens <n>', 'the budget in exact o200k_base tokens (default: 4000)', number)
    .option('--persona <text>', "the agent's own text, put first")
    .addHelpText('after', after)
    .action(async (question: readonly string[], _flags: unknown, command: Command) => {
      await context(question.join(' '), command.optsWithGlobals<ContextFlags>())
    })
}

async function context(query: string, flags: ContextFlags): Promise<void> {
  const assembled = await withStore(flags, (handle) => handle.context({ query, ...ownFlags(flags) }))
  if (flags.json === true) return printJson(assembled)
  // Byte for byte into a pipe or a file; a terminal gets nothing that it would obey.
  if (assembled.text !== '') print(shell().stdout.isTTY ? harmless(assembled.text) : assembled.text)
  for (const line of accountLines(assembled)) note(line)
}

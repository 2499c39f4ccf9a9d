import type { Command } from 'commander'
import type { Metadata } from '../../messages/message.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { kinds, metadataPair, number, time } from '../flag-values.ts'
import { type GlobalFlags, ownFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { printRecalled } from '../render/recalled.ts'

type Kinds = NonNullable<NonNullable<Parameters<UserMemory['recall']>[1]>['kinds']>

interface RecallFlags extends GlobalFlags {
  readonly limit?: number
  readonly kinds?: Kinds
  readonly session?: string
  readonly excludeSession?: string
  readonly from?: string
  readonly to?: string
  readonly metadata?: Metadata
  readonly minScore?: number
  readonly halfLifeDays?: number
  readonly neighbours?: number
}

const after = `
Questions are words, never syntax. When nothing matches, stdout is empty and the
exit code is 0.

  $ varve recall where does the spare key hang
  $ varve recall "the price of soup" --from 2026-04-01 --to 2026-04-30 --limit 3 --json
  $ varve recall "the price of soup" --kinds gist,bank`

export function addRecall(program: Command): void {
  program
    .command('recall')
    .description('find messages by what they say, and what was written about them')
    .argument('<question...>', 'what to look for')
    .option('--limit <n>', 'how many hits at most (default: 10)', number)
    .option('--kinds <kinds>', 'kinds of memory, with commas: message, gist, fact, bank, block, document, notes (default: message)', kinds)
    .option('--session <id>', 'only in this session')
    .option('--exclude-session <id>', 'not in this session')
    .option('--from <time>', 'said at or after: ISO 8601 with its offset, or a UTC day', time)
    .option('--to <time>', 'said at or before; a day means all of it', time)
    .option('--metadata <key=value>', 'only messages with this metadata; may be repeated', metadataPair)
    .option('--min-score <score>', 'leave out hits below this score, 0 to 1', number)
    .option('--half-life-days <days>', 'let a hit of this age have half of its score', number)
    .option('--neighbours <n>', 'also show messages before and after each hit', number)
    .addHelpText('after', after)
    .action(async (question: readonly string[], _flags: unknown, command: Command) => {
      await recall(question.join(' '), command.optsWithGlobals<RecallFlags>())
    })
}

async function recall(question: string, flags: RecallFlags): Promise<void> {
  printRecalled(
    await withStore(flags, (handle) => handle.recall(question, ownFlags(flags))),
    flags,
    'No match: nothing in this memory says any of that.',
  )
}

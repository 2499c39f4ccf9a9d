import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { mostReplayed } from '../../operations/receipts.ts'
import { refusalOf } from '../../operations/replay.ts'
import type { ReplayedReceipt } from '../../operations/replayed-receipt.ts'
import { userOperations } from '../../operations/user.ts'
import { addCommand } from '../add-command.ts'
import { wrongUsage } from '../command-error.ts'
import { forgetOrShow } from '../forget-or-show.ts'
import { ownFlags, type YesFlags } from '../global-flags.ts'
import { commandLine, thisLine } from '../next-command.ts'
import { finishErasures, withStore } from '../open-store.ts'
import { receiptsIn } from '../receipts-in.ts'
import { replayedLine } from '../render/receipts.ts'
import { shell } from '../shell.ts'
import { note, print, printJson } from '../terminal.ts'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>
type ForgetFlags = YesFlags & Parameters<UserMemory['forget']>[0] & { readonly replay?: string }

const after = `
--session, --before and --messages narrow each other. Without --yes
nothing is done.

  $ varve forget --session monday
  $ varve forget --before 2025-01-01 --yes

--replay erases again, in a restored backup, what the receipts of the newer
store say. What was recorded after a receipt stays.

  $ varve receipts --limit 10000 --json > receipts.jsonl
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
  if (replay !== undefined) return replayed(replay, Object.keys(what).length > 0, flags)
  if (Object.keys(what).length === 0) {
    throw wrongUsage('say what to forget: --session, --before or --messages, or --all, or --replay.', commandLine('forget', '--help'))
  }
  await withStore(flags, (handle, memory) => forgetOrShow(handle, memory, what, flags))
}

/** Verifies every receipt, and erases again with --yes. A refused line makes the exit code 1. */
async function replayed(file: string, isNarrowed: boolean, flags: YesFlags): Promise<void> {
  if (isNarrowed) throw wrongUsage('--replay takes no selection: the receipts say what to forget.', commandLine('forget', '--help'))
  const receipts = await receiptsIn(file)
  const outcomes = await withStore(
    flags,
    async (_handle, memory) => {
      const done = flags.yes === true ? await replayAll(memory, receipts) : await previewed(memory, receipts)
      if (flags.yes === true) await finishErasures(memory)
      return done
    },
    { of: 'store' },
  )
  if (outcomes.some(({ outcome }) => outcome === 'refused')) shell().exitCode = 1
  if (flags.yes === true) {
    if (flags.json === true) return printJson({ done: true, receipts: outcomes })
    return outcomes.forEach((one) => print(replayedLine(one)))
  }
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused')
  const next = thisLine('--yes')
  if (flags.json === true) return printJson({ done: false, receipts: receipts.length, refused, next })
  refused.forEach((one) => print(replayedLine(one)))
  print(`Would be replayed: ${receipts.length - refused.length} of ${receipts.length} receipts.`)
  note(`Nothing was done yet. It cannot be undone.\nNext: ${next}`)
}

async function replayAll(memory: Memory, receipts: readonly (Receipt | undefined)[]): Promise<readonly ReplayedReceipt[]> {
  const outcomes: ReplayedReceipt[] = []
  for (let from = 0; from < receipts.length; from += mostReplayed) {
    const some = await memory.receipts.replay(receipts.slice(from, from + mostReplayed).map((one) => one ?? noReceipt))
    outcomes.push(...some.map((one) => ({ ...one, line: from + one.line })))
  }
  return outcomes
}

/** In place of a line without a receipt: it is refused like one. */
const noReceipt = { id: '', counts: {}, logical: 'done', physical: 'done', at: 0 } as const

/** Tells which receipts would be refused. */
async function previewed(memory: Memory, receipts: readonly (Receipt | undefined)[]): Promise<readonly ReplayedReceipt[]> {
  const outcomes: ReplayedReceipt[] = []
  for (const [place, receipt] of receipts.entries()) {
    const reason = refusalOf(receipt === undefined ? undefined : await memory.receipts.verify(receipt))
    const line = place + 1
    outcomes.push(
      reason === undefined
        ? { line, outcome: 'gone' }
        : { line, ...(receipt === undefined ? {} : { id: receipt.id }), outcome: 'refused', reason },
    )
  }
  return outcomes
}

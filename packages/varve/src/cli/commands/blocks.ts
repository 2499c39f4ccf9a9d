import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { blockOperations } from '../../operations/blocks.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { showErasure } from '../forget-or-show.ts'
import type { YesFlags } from '../global-flags.ts'
import { commandLine } from '../next-command.ts'
import { withStore, writing } from '../open-store.ts'
import { ownOrShared, type SharedFlags, whoseShared } from '../own-or-shared.ts'
import { type ListedBlock, blockLines, blockDetails, blockRevisionLines } from '../render/block.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, harmlessLine, note, print, printJson, printParts, printWhole } from '../terminal.ts'
import { wholeList } from '../whole-list.ts'

type Blocks = UserMemory['blocks']
type Named = InputOf<typeof blockOperations.get>
type Flags = SharedFlags & YesFlags

const after = `
A block is a named text that the agent sees in every conversation, before all
other memory. Without --session and --shared it is the user's own. The project's
shared blocks are listed after the user's.

  $ varve blocks set habits "Ada waters the figs on Mondays."
  $ varve blocks append todo "buy oakum" --session monday
  $ varve blocks set rules - --shared --project kiosk < rules.txt`

export function addBlocks(program: Command): void {
  const blocks = addCommand(program, 'blocks', blockOperations.list, list, {
    about: 'working memory: lists the blocks in their order; shows, sets, extends, reorders, restores or deletes one',
  })
    .option('--shared', "the project's blocks, which all of its members read")
    .addHelpText('after', after)
  addCommand(blocks, 'list', blockOperations.list, list, { about: 'lists the blocks, as the command alone does' })
  addCommand(blocks, 'show <name>', blockOperations.get, show, { about: 'prints the text of a block' })
  addCommand(blocks, 'revisions <name>', blockOperations.revisions, revisions)
  const except = ['writer', 'during'] as const
  addCommand(
    blocks,
    'set <name> <text>',
    blockOperations.set,
    ({ name, text, ...options }, flags: Flags) => change(flags, (of) => of.set(name, text, options)),
    { stdin: 'text', except },
  )
  addCommand(
    blocks,
    'append <name> <text>',
    blockOperations.append,
    ({ name, text, ...options }, flags: Flags) => change(flags, (of) => of.append(name, text, options)),
    { stdin: 'text', except },
  )
  addCommand(blocks, 'reorder <names...>', blockOperations.reorder, reorder)
  addCommand(blocks, 'restore <name> <revision>', blockOperations.restore, ({ name, revision, ...options }, flags: Flags) =>
    change(flags, (of) => of.restore(name, revision, options)),
  )
  addCommand(blocks, 'delete <name>', blockOperations.delete, remove, {
    about: 'erases a block with all of its revisions; without --yes, it only shows a preview',
  }).option('--yes', 'erases, in place of a preview')
}

async function list({ limit, ...of }: InputOf<typeof blockOperations.list>, flags: Flags): Promise<void> {
  const found = await withStore(flags, (handle, memory) =>
    wholeList(limit, (page) => ownOrShared(flags, handle, memory).blocks.list({ ...of, ...page })),
  )
  printBlocks(found, flags)
}

async function show(input: Named, flags: Flags): Promise<void> {
  const block = await withStore(flags, (handle, memory) => standing(ownOrShared(flags, handle, memory).blocks, input))
  if (flags.json === true) return printJson({ block })
  printWhole(block.text)
  note(blockDetails(block))
}

/** Writes a block, waits a little for its vector, and prints its details. */
async function change(flags: Flags, work: (blocks: Blocks) => Promise<ListedBlock>): Promise<void> {
  const block = await writing(flags, (handle, memory) => work(ownOrShared(flags, handle, memory).blocks))
  if (flags.json === true) return printJson({ block })
  print(`${harmlessLine(block.name)}: ${blockDetails(block)}`)
}

async function reorder({ names, ...of }: InputOf<typeof blockOperations.reorder>, flags: Flags): Promise<void> {
  printBlocks(await withStore(flags, (handle, memory) => ownOrShared(flags, handle, memory).blocks.reorder(names, of)), flags)
}

async function revisions({ name, limit, ...of }: InputOf<typeof blockOperations.revisions>, flags: Flags): Promise<void> {
  const found = await withStore(flags, (handle, memory) =>
    wholeList(limit, (page) => ownOrShared(flags, handle, memory).blocks.revisions(name, { ...of, ...page })),
  )
  if (flags.json === true) return printJson({ revisions: found })
  printParts(found.map((revision) => blockRevisionLines(revision, columns())))
}

async function remove(input: Named, flags: Flags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const { blocks } = ownOrShared(flags, handle, memory)
    const { name, ...of } = input
    if (flags.yes === true) return printReceipt('Deleted', await blocks.delete(name, of), memory, flags)
    const block = await standing(blocks, input)
    // All members read the project's blocks, but only --shared deletes one.
    if (block.shared === true && flags.shared !== true) throw new NotFound({ kind: 'block', id: name })
    showErasure({ block }, blockLines(block, columns()), 'Would be deleted, with all of its revisions.', flags)
  })
}

async function standing(blocks: Blocks, { name, ...of }: Named): Promise<ListedBlock> {
  const block = await blocks.get(name, of)
  if (block === undefined) throw new NotFound({ kind: 'block', id: name })
  return block
}

function printBlocks(blocks: readonly ListedBlock[], flags: Flags): void {
  if (flags.json === true) return printJson({ blocks })
  if (blocks.length === 0)
    return note(`No block.\nNext: ${commandLine('blocks', 'set', 'notes', 'A text to keep in mind.', ...whoseShared(flags))}`)
  printParts(blocks.map((block) => blockLines(block, columns())))
}

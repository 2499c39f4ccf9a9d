import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { defaultProject } from '../../scope/scope.ts'
import { number } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { textOrInput } from '../input.ts'
import { commandLine, thisLine, whose } from '../next-command.ts'
import { finishWriting, withStore } from '../open-store.ts'
import { type ListedBlock, blockLines, blockDetails, blockRevisionLines } from '../render/block.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, harmless, note, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'

interface BlockFlags extends GlobalFlags {
  /** The blocks of this session alone. */
  readonly session?: string
  /** The project's blocks rather than the user's own. */
  readonly shared?: boolean
}

interface SetFlags extends BlockFlags {
  readonly maxChars?: number
}

interface AppendFlags extends BlockFlags {
  readonly separator?: string
}

interface DeleteFlags extends BlockFlags {
  readonly yes?: boolean
}

interface LimitFlags extends BlockFlags {
  readonly limit?: number
}

const after = `
A block is a named text that the agent sees in every conversation, first of all
that is remembered. Without --session and --shared it is the user's own; what the
project shares is listed after these.

  $ varve blocks set habits "Ada waters the figs on Mondays."
  $ varve blocks append todo "buy oakum" --session monday
  $ varve blocks set rules - --shared --project kiosk < rules.txt`

const nameHelp = "the block's name"
const textHelp = 'the text; - reads it from stdin'

export function addBlocks(program: Command): void {
  const blocks = program
    .command('blocks')
    .description('working memory: list the blocks in their order; show, set, append to, reorder, restore or delete one')
    .option('--session <id>', 'the blocks of this session alone')
    .option('--shared', "the project's blocks, which all of its members read")
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<BlockFlags>()))
  blocks
    .command('list')
    .description('list the blocks in their order')
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<BlockFlags>()))
  blocks
    .command('show')
    .description('print what a block says')
    .argument('<name>', nameHelp)
    .action(async (name: string, _flags: unknown, command: Command) => show(name, command.optsWithGlobals<BlockFlags>()))
  blocks
    .command('revisions')
    .description('print what a block said, the newest first')
    .argument('<name>', nameHelp)
    .option('--limit <n>', 'how many at most (default: 100)', number)
    .action(async (name: string, _flags: unknown, command: Command) => revisions(name, command.optsWithGlobals<LimitFlags>()))
  addBlockEdits(blocks)
}

function addBlockEdits(blocks: Command): void {
  blocks
    .command('set')
    .description("put a text in a block's place; a new block goes last")
    .argument('<name>', nameHelp)
    .argument('<text>', textHelp)
    .option('--max-chars <n>', 'the most characters that it may have (default: as it was; 5000 of a new one)', number)
    .action(async (name: string, text: string, _flags: unknown, command: Command) => set(name, text, command.optsWithGlobals<SetFlags>()))
  blocks
    .command('append')
    .description('add to a block; makes it when there is none')
    .argument('<name>', nameHelp)
    .argument('<text>', textHelp)
    .option('--separator <text>', 'what stands between (default: a new line)')
    .action(async (name: string, text: string, _flags: unknown, command: Command) =>
      append(name, text, command.optsWithGlobals<AppendFlags>()),
    )
  blocks
    .command('reorder')
    .description('put the named blocks first, in this order; the others keep theirs')
    .argument('<names...>', 'the names')
    .action(async (names: string[], _flags: unknown, command: Command) => reorder(names, command.optsWithGlobals<BlockFlags>()))
  blocks
    .command('restore')
    .description('have a block say again what it said in a revision')
    .argument('<name>', nameHelp)
    .argument('<revision>', 'its number', number)
    .action(async (name: string, revision: number, _flags: unknown, command: Command) =>
      restore(name, revision, command.optsWithGlobals<BlockFlags>()),
    )
  blocks
    .command('delete')
    .description('erase a block with all of its revisions: shows what would go; does it with --yes')
    .argument('<name>', nameHelp)
    .option('--yes', 'do it')
    .action(async (name: string, _flags: unknown, command: Command) => remove(name, command.optsWithGlobals<DeleteFlags>()))
}

async function list(flags: BlockFlags): Promise<void> {
  printBlocks(await withStore(flags, (handle, memory) => blocksOf(flags, handle, memory).list(sessionOf(flags))), flags)
}

async function show(name: string, flags: BlockFlags): Promise<void> {
  const block = await withStore(flags, (handle, memory) => standing(blocksOf(flags, handle, memory), name, flags))
  if (flags.json === true) return printJson({ block })
  // Byte for byte into a pipe or a file; a terminal gets nothing that it would obey.
  print(shell().stdout.isTTY ? harmless(block.text) : block.text)
  note(blockDetails(block))
}

async function set(name: string, given: string, flags: SetFlags): Promise<void> {
  const text = await textOrInput(given)
  const options = { ...sessionOf(flags), ...(flags.maxChars === undefined ? {} : { maxChars: flags.maxChars }) }
  await change(flags, (blocks) => blocks.set(name, text, options))
}

async function append(name: string, given: string, flags: AppendFlags): Promise<void> {
  const text = await textOrInput(given)
  const options = { ...sessionOf(flags), ...(flags.separator === undefined ? {} : { separator: flags.separator }) }
  await change(flags, (blocks) => blocks.append(name, text, options))
}

async function restore(name: string, revision: number, flags: BlockFlags): Promise<void> {
  await change(flags, (blocks) => blocks.restore(name, revision, sessionOf(flags)))
}

/** Writes a block, takes a little time for its vector, and tells how it is now. */
async function change(flags: BlockFlags, work: (blocks: Blocks) => Promise<ListedBlock>): Promise<void> {
  const block = await withStore(flags, async (handle, memory) => {
    const changed = await work(blocksOf(flags, handle, memory))
    await finishWriting(memory)
    return changed
  })
  if (flags.json === true) return printJson({ block })
  print(`${harmless(block.name)}: ${blockDetails(block)}`)
}

async function reorder(names: readonly string[], flags: BlockFlags): Promise<void> {
  printBlocks(await withStore(flags, (handle, memory) => blocksOf(flags, handle, memory).reorder(names, sessionOf(flags))), flags)
}

async function revisions(name: string, flags: LimitFlags): Promise<void> {
  const options = { ...sessionOf(flags), ...(flags.limit === undefined ? {} : { limit: flags.limit }) }
  const found = await withStore(flags, (handle, memory) => blocksOf(flags, handle, memory).revisions(name, options))
  if (flags.json === true) return printJson({ revisions: found })
  const width = columns()
  print(found.map((revision) => blockRevisionLines(revision, width).join('\n')).join('\n\n'))
}

async function remove(name: string, flags: DeleteFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const blocks = blocksOf(flags, handle, memory)
    if (flags.yes === true) return printReceipt('Deleted', await blocks.delete(name, sessionOf(flags)), memory, flags)
    const block = await standing(blocks, name, flags)
    // Everybody reads the project's; without --shared it is not theirs to delete.
    if (block.shared === true && flags.shared !== true) throw new NotFound({ kind: 'block', id: name })
    const next = thisLine('--yes')
    if (flags.json === true) return printJson({ done: false, block, next })
    print(blockLines(block, columns()).join('\n'))
    note(`Would be deleted, with all of its revisions. Nothing was done yet. It cannot be undone.\nNext: ${next}`)
  })
}

type Blocks = UserMemory['blocks']

function blocksOf({ shared, project }: BlockFlags, handle: UserMemory, memory: Memory): Blocks {
  return shared === true ? memory.project(project ?? defaultProject).blocks : handle.blocks
}

function sessionOf({ session }: BlockFlags): { readonly session?: string } {
  return session === undefined ? {} : { session }
}

async function standing(blocks: Blocks, name: string, flags: BlockFlags): Promise<ListedBlock> {
  const block = await blocks.get(name, sessionOf(flags))
  if (block === undefined) throw new NotFound({ kind: 'block', id: name })
  return block
}

function printBlocks(blocks: readonly ListedBlock[], flags: BlockFlags): void {
  if (flags.json === true) return printJson({ blocks })
  if (blocks.length === 0)
    return note(`No block.\nNext: ${commandLine('blocks', 'set', 'notes', 'What is to be kept in mind.', ...whereOf(flags))}`)
  const width = columns()
  print(blocks.map((block) => blockLines(block, width).join('\n')).join('\n\n'))
}

/** The flags that say whose blocks they are, to repeat in another command. */
function whereOf(flags: BlockFlags): string[] {
  return [
    ...(flags.session === undefined ? [] : ['--session', flags.session]),
    ...(flags.shared === true ? ['--shared'] : []),
    ...whose(flags),
  ]
}

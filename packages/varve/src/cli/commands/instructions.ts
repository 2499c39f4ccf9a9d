import type { Command } from 'commander'
import type { UserMemory } from '../../memory/user-memory.ts'
import { instructionOperations } from '../../operations/instructions.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, switchingOn, whose, whoseStore } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { isLayerOff } from '../own-or-shared.ts'
import { instructionLines, type ListedInstruction } from '../render/instruction.ts'
import { unreadNote } from '../render/upkeep.ts'
import { columns, note, print, printJson, printParts } from '../terminal.ts'
import { wholeId } from '../whole-id.ts'
import { wholeList } from '../whole-list.ts'

const after = `
Instructions are read from the words of persons, by a program that has the store
open or by varve upkeep. Each context shows those that stand first.

  $ varve instructions --ended
  $ varve instructions add "Always show code in TypeScript."
  $ varve instructions edit 01a203b1 "Show code in TypeScript or Go."
  $ varve instructions withdraw 01a203b1`

/** The most instructions among which the beginning of an id is looked for. */
const mostListed = 1_000

const idHelp = "the instruction's id, or a beginning of it (8 characters or more) that no other has"

export function addInstructions(program: Command): void {
  const instructions = addCommand(program, 'instructions', instructionOperations.list, list, {
    about: 'what the user wants done from now on: lists the instructions that stand; adds, edits or withdraws one',
  }).addHelpText('after', after)
  addCommand(instructions, 'list', instructionOperations.list, list, { about: 'lists the instructions, as the command alone does' })
  addCommand(instructions, 'add <text>', instructionOperations.add, add, { except: ['writer', 'during'] })
  addCommand(instructions, 'edit <id> <text>', instructionOperations.edit, edit, { help: { id: idHelp } })
  addCommand(instructions, 'withdraw <id>', instructionOperations.withdraw, withdraw, { except: ['writer'], help: { id: idHelp } })
  addCommand(instructions, 'restore <id>', instructionOperations.restore, restore, {
    about: 'takes back the last edit or withdrawal of an instruction',
    help: { id: idHelp },
  })
}

async function list({ limit, ...asked }: InputOf<typeof instructionOperations.list>, flags: GlobalFlags): Promise<void> {
  const { instructions, waiting, isOff, status } = await withStore(flags, async (handle, memory) => ({
    instructions: await wholeList(limit, (options) => handle.instructions.list({ ...asked, ...options })),
    waiting: await handle.gists.pending(),
    isOff: await isLayerOff(memory, 'instructions', flags),
    status: await memory.upkeep.status(),
  }))
  if (flags.json === true) return printJson({ instructions })
  if (instructions.length > 0) printParts(instructions.map((one) => instructionLines(one, columns())))
  if (isOff) return note(`Instructions are off in this project: nothing is read for them.\nNext: ${switchingOn('instructions', flags)}`)
  if (waiting > 0) return note(unreadNote(waiting, status, whoseStore(flags)))
  if (instructions.length === 0) note(`No instruction stands here.\nNext: ${commandLine('instructions', 'add', '--help')}`)
}

async function add({ text }: InputOf<typeof instructionOperations.add, 'writer' | 'during'>, flags: GlobalFlags): Promise<void> {
  await change(flags, (handle) => handle.instructions.add(text))
}

async function restore({ id }: InputOf<typeof instructionOperations.restore>, flags: GlobalFlags): Promise<void> {
  await change(flags, async (handle) => handle.instructions.restore(await instructionIdFrom(handle, id, flags)))
}

async function edit({ id, text }: InputOf<typeof instructionOperations.edit>, flags: GlobalFlags): Promise<void> {
  await change(flags, async (handle) => handle.instructions.edit(await instructionIdFrom(handle, id, flags), text))
}

async function withdraw({ id }: InputOf<typeof instructionOperations.withdraw, 'writer'>, flags: GlobalFlags): Promise<void> {
  await change(flags, async (handle) => handle.instructions.withdraw(await instructionIdFrom(handle, id, flags)))
}

/** Changes an instruction, and prints it. */
async function change(flags: GlobalFlags, work: (handle: UserMemory) => Promise<ListedInstruction>): Promise<void> {
  const instruction = await withStore(flags, work)
  if (flags.json === true) return printJson({ instruction })
  print(instructionLines(instruction, columns()).join('\n'))
}

/** Finds the whole id of an instruction by its beginning. */
async function instructionIdFrom({ instructions }: UserMemory, text: string, flags: GlobalFlags): Promise<string> {
  return wholeId(
    text,
    'instructions',
    () => instructions.list({ ended: true, limit: mostListed }),
    commandLine('instructions', ...whose(flags)),
  )
}

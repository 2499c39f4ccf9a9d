import type { Command } from 'commander'
import { importsOperations } from '../../operations/transfer.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { commandLine } from '../next-command.ts'
import { withStore, writing } from '../open-store.ts'
import { ownOrShared, type SharedFlags, whoseShared } from '../own-or-shared.ts'
import { printReceipt } from '../render/receipt.ts'
import { waitingImportLines, waitingTextLines } from '../render/imported.ts'
import { note, print, printJson, printParts } from '../terminal.ts'
import { wholeList } from '../whole-list.ts'

const after = `
An export that another store made waits: it is somebody's text. Nothing of it is
found or shown to a model until you accept it. An import that was stopped is
listed with its state: import the same file again, or discard it.

  $ varve imports --user ada
  $ varve imports show 01a2177c-33e7-709e-bf98-776f27f7af29 --user ada
  $ varve imports accept 01a2177c-33e7-709e-bf98-776f27f7af29 --user ada`

const shared = "those of what the project's members share"

export function addImports(program: Command): void {
  const imports = addCommand(program, 'imports', importsOperations.list, list, {
    about: 'imports that wait to be accepted, or were stopped: lists, shows, accepts or discards them',
  })
    .option('--shared', shared)
    .addHelpText('after', after)
  addCommand(imports, 'show <id>', importsOperations.get, show, { about: 'shows where one says it is from, and its first texts' })
  addCommand(imports, 'accept <id>', importsOperations.accept, accept, { about: 'applies one, or goes on with one' })
  addCommand(imports, 'discard <id>', importsOperations.discard, discard, { about: 'throws one away, with a receipt' })
}

async function list({ limit }: InputOf<typeof importsOperations.list>, flags: SharedFlags): Promise<void> {
  const imports = await withStore(flags, (handle, memory) =>
    wholeList(limit, (options) => ownOrShared(flags, handle, memory).imports.list(options)),
  )
  if (flags.json === true) return printJson({ imports })
  if (imports.length === 0) return note('No import waits here.')
  printParts(imports.map(waitingImportLines))
}

async function show({ id }: InputOf<typeof importsOperations.get>, flags: SharedFlags): Promise<void> {
  const waiting = await withStore(flags, (handle, memory) => ownOrShared(flags, handle, memory).imports.get(id))
  if (flags.json === true) return printJson(waiting)
  printParts([waitingImportLines(waiting), ...waiting.texts.map(waitingTextLines)])
  const next = waiting.state === 'waiting' || waiting.state === 'applying' ? 'accept' : 'discard'
  note(`Next: ${commandLine('imports', next, id, ...whoseShared(flags))}`)
}

async function accept({ id, ...options }: InputOf<typeof importsOperations.accept>, flags: SharedFlags): Promise<void> {
  const counts = await writing(flags, (handle, memory) => ownOrShared(flags, handle, memory).imports.accept(id, options))
  if (flags.json === true) return printJson(counts)
  print(
    `Accepted: ${Object.entries(counts.stored)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')}.`,
  )
}

async function discard({ id }: InputOf<typeof importsOperations.discard>, flags: SharedFlags): Promise<void> {
  await withStore(flags, async (handle, memory) =>
    printReceipt('Discarded', await ownOrShared(flags, handle, memory).imports.discard(id), memory, flags),
  )
}

import type { Command } from 'commander'
import { Cancelled } from '../../errors/cancelled.ts'
import type { Memory } from '../../memory/memory.ts'
import { memoryOperations } from '../../operations/store.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { CommandError } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { thisLine } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { countLine } from '../progress.ts'
import { stopOn } from '../stopping.ts'
import { counted, harmlessLine, note, print, printJson } from '../terminal.ts'

type Backup = Awaited<ReturnType<Memory['backup']>>

const after = `
  $ varve backup /backups/varve.db
  $ varve backup /backups/varve.db --overwrite --json
  $ varve restore /backups/varve.db --to restored.db

What is forgotten later is still in a backup. A restore forgets it again, from the
receipts: keep them elsewhere too.

  $ varve receipts --all --json > /elsewhere/receipts.jsonl`

export function addBackup(program: Command): void {
  addCommand(program, 'backup <path>', memoryOperations.backup, backup, {
    about: 'copies the store into a file, while others read and write, and verifies the copy',
  }).addHelpText('after', after)
}

async function backup({ path, overwrite }: InputOf<typeof memoryOperations.backup>, flags: GlobalFlags): Promise<void> {
  const made = await withStore(flags, (_handle, memory) => stoppable(memory, path, overwrite), { of: 'store' })
  if (flags.json === true) return printJson(made)
  const { file, bytes, messages, receipts, ms } = made
  print(`${harmlessLine(file)}: ${counted(messages, 'message')}, ${counted(receipts, 'receipt')}, ${megabytes(bytes)} MB, verified.`)
  note(`varve: it took ${(ms / 1000).toFixed(1)} s.`)
}

async function stoppable(memory: Memory, path: string, overwrite: boolean | undefined): Promise<Backup> {
  using stopping = stopOn('SIGINT', 'SIGTERM')
  let latest: string | undefined
  using _lines = countLine(() => latest)
  const events = memory.events()
  const told = (async () => {
    for await (const event of events)
      if (event.type === 'backing-up') latest = `varve: ${megabytes(event.bytes)} of about ${megabytes(event.totalBytes)} MB written.`
  })()
  try {
    return await memory.backup(path, { signal: stopping.signal, ...(overwrite === undefined ? {} : { overwrite }) })
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    throw new CommandError('stopped: no backup was made.', { code: 'INTERRUPTED', exitCode: 130, next: thisLine() }, { cause: error })
  } finally {
    await events.return?.()
    await told
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}

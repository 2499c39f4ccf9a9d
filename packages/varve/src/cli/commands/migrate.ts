import type { Command } from 'commander'
import * as z from 'zod'
import { Cancelled } from '../../errors/cancelled.ts'
import { configure } from '../../memory/configuration.ts'
import { type Moved, moveStore } from '../../memory/moving/move-store.ts'
import type { MoveProgress } from '../../memory/moving/request.ts'
import { inMemory, storePlace } from '../../memory/places.ts'
import { isThere } from '../../memory/stores/standing-store.ts'
import { whole } from '../../operations/fields.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, thisLine } from '../next-command.ts'
import { countLine } from '../progress.ts'
import { shell } from '../shell.ts'
import { stopOn } from '../stopping.ts'
import { counted, harmlessLine, note, print, printJson } from '../terminal.ts'
import { divideTables } from './hash-partitions.ts'

const after = `
The new store is the same: ids, vectors, receipts, keys and the store's secret. It
is verified before the command says that it is done: every row, and 1,000 questions.
End the programs that use either store first. A move that was stopped or killed goes
on when the same line runs again. The store that was moved stays as it is.

  $ varve migrate --from sqlite:./varve.db --to postgres://varve@db.internal/varve
  $ varve migrate --from postgres://varve@db.internal/varve --to ./varve.db

It needs the packages pg and pg-copy-streams: npm install pg pg-copy-streams. A
password can stand in PGPASSWORD, where no list of processes shows it.

With --hash-partitions, and without --to, it divides the tables of the store:

  $ varve migrate --hash-partitions 64 --store postgres://varve@db.internal/varve`

const migration = {
  input: () => ({
    from: z.string().optional().describe('The store to move, in any form of --store. Default: the store of --store.'),
    to: z.string().optional().describe('The place of the new store: where none is, or an empty one.'),
    hashPartitions: whole(2, 1_024)
      .optional()
      .describe('Divides each table of a PostgreSQL store into so many parts, by a hash of the partition.'),
  }),
}

export function addMigrate(program: Command): void {
  addCommand(program, 'migrate', migration, migrate, {
    about: 'moves the store into another database, as it is, and verifies it',
  }).addHelpText('after', after)
}

async function migrate(input: InputOf<typeof migration>, flags: GlobalFlags): Promise<void> {
  if (input.hashPartitions !== undefined) return divide(input, input.hashPartitions, flags)
  if (input.to === undefined) throw wrongUsage('--to is required: the place of the new store.', commandLine('migrate', '--help'))
  const given = input.from ?? flags.store
  const { file } = configure(given === undefined ? {} : { store: given }, shell().env)
  const from = inFile(file)
  const to = inFile(storePlace(input.to, '--to'))
  if (!isThere(from))
    throw new CommandError(`there is no store at ${from}.`, { code: 'NO_STORE', exitCode: 1, next: commandLine('migrate', '--help') })
  const moved = await stoppable({ from, to })
  if (flags.json === true) return printJson(moved)
  const { rows, tables, partitions, messages, questions, checksum, resumedAt, ms } = moved
  if (resumedAt > 0) note(`varve: an earlier run had moved ${counted(resumedAt, 'row')} of them.`)
  print(`${harmlessLine(moved.to)}: ${counted(rows, 'row')} in ${tables} tables, with ${counted(messages, 'message')}.`)
  print(
    `Verified: ${counted(partitions, 'partition')}, row by row, and ${counted(questions, 'question')}. Checksum ${checksum.slice(0, 16)}.`,
  )
  note(`varve: it took ${(ms / 1000).toFixed(1)} s. Name the new store in VARVE_STORE or --store from now on.`)
}

function divide({ from, to }: InputOf<typeof migration>, parts: number, flags: GlobalFlags): Promise<void> {
  if (from === undefined && to === undefined) return divideTables(parts, flags)
  throw wrongUsage('--hash-partitions divides the store of --store: it takes neither --from nor --to.', commandLine('migrate', '--help'))
}

function inFile(place: string): string {
  if (place !== inMemory) return place
  throw wrongUsage('memory: ends with the command, so it can be neither end of a move.', commandLine('migrate', '--help'))
}

async function stoppable(request: { readonly from: string; readonly to: string }): Promise<Moved> {
  using stopping = stopOn('SIGINT', 'SIGTERM')
  let latest: MoveProgress | undefined
  using _lines = countLine(() => (latest === undefined ? undefined : progressLine(latest)))
  try {
    return await moveStore({ ...request, signal: stopping.signal, onProgress: (progress) => (latest = progress) })
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    const message = 'stopped. The target has a part of the rows, and nobody can open it. The same line goes on with it.'
    throw new CommandError(message, { code: 'INTERRUPTED', exitCode: 130, next: thisLine() }, { cause: error })
  }
}

const works = { rows: 'rows moved', comparison: 'rows compared', questions: 'questions asked' } as const

function progressLine({ doing, done, total }: MoveProgress): string {
  const share = total === 0 ? 100 : Math.floor((100 * done) / total)
  return `varve: ${share} %, ${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${works[doing]}.`
}

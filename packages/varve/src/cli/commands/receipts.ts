import type { Command } from 'commander'
import * as z from 'zod'
import type { Memory } from '../../memory/memory.ts'
import { plainJson } from '../../messages/plain-json.ts'
import { type ReceiptCheck, verifyReceipt } from '../../operations/receipt-check.ts'
import { receiptsOperations } from '../../operations/receipts.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { fileOrInput } from '../input.ts'
import { printJsonList, printPiece } from '../long-output.ts'
import { type ReceiptLine, receiptsIn } from '../receipts-in.ts'
import { commandLine, whoseStore } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { checkLine, receiptLine, receiptText } from '../render/receipts.ts'
import { note, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'
import { wholeId } from '../whole-id.ts'
import { wholeList } from '../whole-list.ts'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>

const after = `
With --json, each receipt is one line, and the lines are what varve forget
--replay and varve receipts verify take.

  $ varve receipts --all --json > receipts.jsonl
  $ varve receipts verify receipts.jsonl
  $ varve receipts verify receipts.jsonl --key operator.pem
  $ varve forget --replay receipts.jsonl --yes --store restored.db
  $ varve restore backup.db --to restored.db --receipts receipts.jsonl`

const allHelp = 'lists all receipts, however many'

const idHelp = "the receipt's id, or a beginning of it (8 characters or more) that no other has"

export function addReceipts(program: Command): void {
  const receipts = addCommand(program, 'receipts', receiptsOperations.list, list, {
    about: 'receipts of erasures: lists, shows and verifies them',
  })
    .option('--all', allHelp)
    .addHelpText('after', after)
  addCommand(receipts, 'list', receiptsOperations.list, list, { about: 'lists the receipts, as the command alone does' }).option(
    '--all',
    allHelp,
  )
  addCommand(receipts, 'show <id>', receiptsOperations.get, show, { help: { id: idHelp } })
  addCommand(receipts, 'verify [what]', verified, verify, {
    about: 'verifies receipts: of a file with one in each line, of stdin (-), or one of the store by its id',
  }).option('--key <file>', "an Ed25519 public key (PEM): verifies with it alone, without a store's key")
}

const verified = {
  input: () => ({
    what: z
      .string()
      .optional()
      .describe('A file with a receipt in each line, - for stdin, or the id of a receipt. Default: all receipts of the store.'),
  }),
}

async function list({ limit }: InputOf<typeof receiptsOperations.list>, flags: ListFlags): Promise<void> {
  if (flags.all === true) return listAll(flags)
  const receipts = await withStore(
    flags,
    (_handle, memory) => wholeList(limit, (options) => memory.receipts.list(options), '--all lists them.'),
    { of: 'store' },
  )
  if (flags.json === true) return receipts.forEach(printJson)
  if (receipts.length === 0) return note('No receipt: nothing was ever forgotten here.')
  for (const receipt of receipts) print(receiptLine(receipt))
}

/** A store may have more receipts than one list holds. */
async function listAll(flags: GlobalFlags): Promise<void> {
  await withStore(
    flags,
    async (_handle, memory) => {
      for await (const receipt of memory.receipts.list({ limit: receiptsAtOnce }))
        await printPiece(`${flags.json === true ? plainJson(JSON.stringify(receipt)) : receiptLine(receipt)}\n`)
    },
    { of: 'store' },
  )
}

async function show({ id }: InputOf<typeof receiptsOperations.get>, flags: GlobalFlags): Promise<void> {
  const shown = async (memory: Memory) => {
    const receipt = await memory.receipts.get(await receiptIdFrom(memory, id, flags))
    return { receipt, check: await memory.receipts.verify(receipt.id) }
  }
  const { receipt, check } = await withStore(flags, (_handle, memory) => shown(memory), { of: 'store' })
  if (flags.json === true) return printJson({ ...receipt, check })
  print([...receiptText(receipt), checkLine(check)].join('\n'))
}

interface ListFlags extends GlobalFlags {
  readonly all?: boolean
}

interface VerifyFlags extends GlobalFlags {
  readonly key?: string
}

/** A receipt of the store, or a line of a file, which may hold none. */
type Verified = Pick<ReceiptLine, 'line' | 'receipt'>

/** What a line turned out to be. One that holds no receipt has no check. */
interface CheckedLine {
  readonly line: number
  readonly check: ReceiptCheck | undefined
}

async function verify({ what }: InputOf<typeof verified>, flags: VerifyFlags): Promise<void> {
  const key = flags.key === undefined ? undefined : await fileOrInput(flags.key, 'a key')
  const isOfStore = what === undefined || /^[\da-f]{8}[\da-f-]{0,28}$/i.test(what)
  const told = { isWrong: false }
  const checkedIn = (memory: Memory): Promise<void> => {
    const lines = isOfStore ? ofStore(memory, what, flags) : receiptsIn(what)
    return printChecks(
      checked(lines, (receipt) => (key === undefined ? memory.receipts.verify(receipt) : verifyReceipt(receipt, key))),
      told,
      flags,
    )
  }
  if (isOfStore || key === undefined) await withStore(flags, (_handle, memory) => checkedIn(memory), { of: 'store' })
  else
    await printChecks(
      checked(receiptsIn(what), (receipt) => verifyReceipt(receipt, key)),
      told,
      flags,
    )
  if (told.isWrong) shell().exitCode = 1
}

async function printChecks(checks: AsyncIterable<CheckedLine>, told: { isWrong: boolean }, { json }: GlobalFlags): Promise<void> {
  if (json === true) {
    const shown = (async function* () {
      for await (const one of judged(checks, told)) yield { line: one.line, ...(one.check ?? { state: 'no receipt' }) }
    })()
    return printJsonList({}, 'receipts', shown, () => ({ ok: !told.isWrong }))
  }
  for await (const { line, check } of judged(checks, told))
    await printPiece(`${String(line).padStart(5)}  ${check === undefined ? 'no receipt' : checkLine(check)}\n`)
}

async function* judged(checks: AsyncIterable<CheckedLine>, told: { isWrong: boolean }): AsyncGenerator<CheckedLine> {
  for await (const one of checks) {
    told.isWrong ||= one.check === undefined || one.check.state === 'failed' || one.check.state === 'unknown'
    yield one
  }
}

async function* checked(
  lines: AsyncIterable<Verified>,
  check: (receipt: Receipt) => ReceiptCheck | Promise<ReceiptCheck>,
): AsyncGenerator<CheckedLine> {
  for await (const { line, receipt } of lines) yield { line, check: receipt === undefined ? undefined : await check(receipt) }
}

async function* ofStore(memory: Memory, id: string | undefined, flags: GlobalFlags): AsyncGenerator<Verified> {
  if (id !== undefined) yield { line: 1, receipt: await memory.receipts.get(await receiptIdFrom(memory, id, flags)) }
  else {
    let line = 0
    for await (const receipt of memory.receipts.list({ limit: receiptsAtOnce })) yield { line: (line += 1), receipt }
  }
}

/** The receipts of a page. */
const receiptsAtOnce = 1_000

async function receiptIdFrom(memory: Memory, text: string, flags: GlobalFlags): Promise<string> {
  return wholeId(text, 'receipts', () => memory.receipts.list({ limit: receiptsAtOnce }), commandLine('receipts', ...whoseStore(flags)))
}

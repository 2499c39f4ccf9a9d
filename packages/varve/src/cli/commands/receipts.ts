import type { Command } from 'commander'
import * as z from 'zod'
import type { Memory } from '../../memory/memory.ts'
import { type ReceiptCheck, verifyReceipt } from '../../operations/receipt-check.ts'
import { receiptsOperations } from '../../operations/receipts.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { fileOrInput } from '../input.ts'
import { receiptsIn } from '../receipts-in.ts'
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

  $ varve receipts --limit 10000 --json > receipts.jsonl
  $ varve receipts verify receipts.jsonl
  $ varve receipts verify receipts.jsonl --key operator.pem
  $ varve forget --replay receipts.jsonl --yes --store restored.db`

const idHelp = "the receipt's id, or a beginning of it (8 characters or more) that no other has"

export function addReceipts(program: Command): void {
  const receipts = addCommand(program, 'receipts', receiptsOperations.list, list, {
    about: 'receipts of erasures: lists, shows and verifies them',
  }).addHelpText('after', after)
  addCommand(receipts, 'list', receiptsOperations.list, list, { about: 'lists the receipts, as the command alone does' })
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

async function list({ limit }: InputOf<typeof receiptsOperations.list>, flags: GlobalFlags): Promise<void> {
  const receipts = await withStore(flags, (_handle, memory) => wholeList(limit, (options) => memory.receipts.list(options)), {
    of: 'store',
  })
  if (flags.json === true) return receipts.forEach(printJson)
  if (receipts.length === 0) return note('No receipt: nothing was ever forgotten here.')
  for (const receipt of receipts) print(receiptLine(receipt))
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

interface VerifyFlags extends GlobalFlags {
  readonly key?: string
}

/** What a line turned out to be. One that holds no receipt has no check. */
interface CheckedLine {
  readonly line: number
  readonly check: ReceiptCheck | undefined
}

async function verify({ what }: InputOf<typeof verified>, flags: VerifyFlags): Promise<void> {
  const key = flags.key === undefined ? undefined : await fileOrInput(flags.key, 'a key')
  const isOfStore = what === undefined || /^[\da-f]{8}[\da-f-]{0,28}$/i.test(what)
  const checkedIn = async (memory: Memory): Promise<CheckedLine[]> => {
    const lines = isOfStore ? await ofStore(memory, what, flags) : await receiptsIn(what)
    return checked(lines, (receipt) => (key === undefined ? memory.receipts.verify(receipt) : verifyReceipt(receipt, key)))
  }
  const checks =
    isOfStore || key === undefined
      ? await withStore(flags, (_handle, memory) => checkedIn(memory), { of: 'store' })
      : await checked(await receiptsIn(what), (receipt) => verifyReceipt(receipt, key))
  const wrong = checks.filter(({ check }) => check === undefined || check.state === 'failed' || check.state === 'unknown')
  if (wrong.length > 0) shell().exitCode = 1
  if (flags.json === true)
    return printJson({
      ok: wrong.length === 0,
      receipts: checks.map(({ line, check }) => ({ line, ...(check ?? { state: 'no receipt' }) })),
    })
  for (const { line, check } of checks) print(`${String(line).padStart(5)}  ${check === undefined ? 'no receipt' : checkLine(check)}`)
}

async function checked(
  lines: readonly (Receipt | undefined)[],
  check: (receipt: Receipt) => ReceiptCheck | Promise<ReceiptCheck>,
): Promise<CheckedLine[]> {
  const found: CheckedLine[] = []
  for (const [place, receipt] of lines.entries())
    found.push({ line: place + 1, check: receipt === undefined ? undefined : await check(receipt) })
  return found
}

async function ofStore(memory: Memory, id: string | undefined, flags: GlobalFlags): Promise<readonly Receipt[]> {
  if (id !== undefined) return [await memory.receipts.get(await receiptIdFrom(memory, id, flags))]
  return wholeList(Number.MAX_SAFE_INTEGER, ({ limit: _, ...options }) => memory.receipts.list({ ...options, limit: receiptsAtOnce }))
}

/** The receipts of a page, and the most among which an id is looked for. */
const receiptsAtOnce = 1_000

async function receiptIdFrom(memory: Memory, text: string, flags: GlobalFlags): Promise<string> {
  const ids = async (): Promise<string[]> => (await memory.receipts.list({ limit: receiptsAtOnce })).map((one) => one.id)
  return wholeId(text, 'receipts', ids, commandLine('receipts', ...whoseStore(flags)))
}

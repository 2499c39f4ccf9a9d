import type { Memory } from '../../memory/memory.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { finishErasures } from '../open-store.ts'
import { countedKinds } from '../../messages/counted-kinds.ts'
import { print, printJson } from '../terminal.ts'

type Done = 'Forgotten' | 'Deleted' | 'Withdrawn' | 'Discarded'
/** The words of a deletion that has an undo. */
export const keptWords = 'are kept for 30 days, so that it can be taken back'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>

/** Takes a little time to overwrite the erased bytes, then prints the receipt. */
export async function printReceipt(done: Done, given: Receipt, memory: Memory, { json }: GlobalFlags): Promise<void> {
  const receipt = await settledReceipt(given, memory)
  if (json === true) return printJson({ done: true, ...receipt })
  tellReceipt(done, receipt)
}

/** Gives the receipt after a little time to overwrite the erased bytes. */
export async function settledReceipt<Given extends Receipt | undefined>(receipt: Given, memory: Memory): Promise<Receipt | Given> {
  if (receipt === undefined) return receipt
  await finishErasures(memory)
  return memory.receipts.get(receipt.id)
}

/** Tells what became of the words. */
function fateOf({ erased, physical, reason }: Receipt): string {
  if (erased?.kept === true) return keptWords
  return physical === 'done' ? "are gone from the files' bytes" : `are still in the files' bytes (${reason ?? 'not overwritten yet'})`
}

export function tellReceipt(done: Done, receipt: Receipt): void {
  print(`${done}: ${countedKinds(receipt.counts)}.`)
  const words = done === 'Discarded' ? 'What was applied of it stays; the lines that waited' : 'It is in no answer any more; its words'
  print(`${words} ${fateOf(receipt)}.`)
  print(`Receipt ${receipt.id}`)
}

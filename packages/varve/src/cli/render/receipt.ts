import type { Memory } from '../../memory.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { finishErasures } from '../open-store.ts'
import { countedKinds, print, printJson } from '../terminal.ts'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>

/** Takes a little time for the bytes of what was erased, and tells how it then is. */
export async function printReceipt(done: 'Forgotten' | 'Deleted' | 'Withdrawn', { id }: Receipt, memory: Memory, { json }: GlobalFlags): Promise<void> {
  await finishErasures(memory)
  const receipt = await memory.receipts.get(id)
  if (json === true) return printJson({ done: true, ...receipt })
  print(`${done}: ${countedKinds(receipt.counts)}.`)
  print(`It is in no answer any more; ${receipt.physical === 'done' ? "its words are gone from the files' bytes." : `its words are still in the files' bytes (${receipt.reason ?? 'not overwritten yet'}).`}`)
  print(`Receipt ${receipt.id}`)
}

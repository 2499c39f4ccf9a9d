import type { Memory } from '../memory.ts'
import type { UserMemory } from '../user-memory.ts'
import type { GlobalFlags } from './global-flags.ts'
import { thisLine } from './next-command.ts'
import { finishErasures } from './open-store.ts'
import { countedKinds, note, print, printJson } from './terminal.ts'

type ForgetInput = Parameters<UserMemory['forget']>[0]
type Receipt = Awaited<ReturnType<UserMemory['forget']>>

/** Shows what would be forgotten; forgets it when it was asked to with --yes. */
export async function forgetOrShow(handle: UserMemory, memory: Memory, what: ForgetInput, flags: GlobalFlags & { readonly yes?: boolean }): Promise<void> {
  if (flags.yes === true) {
    const receipt = await handle.forget(what)
    await finishErasures(memory)
    return printReceipt(await memory.receipts.get(receipt.id), flags)
  }
  const counts = await handle.previewForget(what)
  const isNothing = Object.values(counts).every((count) => count === 0)
  const next = isNothing ? undefined : thisLine('--yes')
  if (flags.json === true) return printJson({ done: false, counts, ...(next === undefined ? {} : { next }) })
  print(`Would be forgotten: ${countedKinds(counts)}.`)
  if (next !== undefined) note(`Nothing was done yet. It cannot be undone.\nNext: ${next}`)
}

function printReceipt(receipt: Receipt, { json }: GlobalFlags): void {
  if (json === true) return printJson({ done: true, ...receipt })
  print(`Forgotten: ${countedKinds(receipt.counts)}.`)
  print(`It is in no answer any more; ${receipt.physical === 'done' ? "its words are gone from the files' bytes." : `its words are still in the files' bytes (${receipt.reason ?? 'not overwritten yet'}).`}`)
  print(`Receipt ${receipt.id}`)
}

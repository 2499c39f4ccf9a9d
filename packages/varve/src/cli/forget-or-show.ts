import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import type { YesFlags } from './global-flags.ts'
import { thisLine } from './next-command.ts'
import { printReceipt } from './render/receipt.ts'
import { countedKinds } from '../messages/counted-kinds.ts'
import { note, print, printJson } from './terminal.ts'

type ForgetInput = Parameters<UserMemory['forget']>[0]

/** Forgets with --yes. Without it, shows the counts only. */
export async function forgetOrShow(handle: UserMemory, memory: Memory, what: ForgetInput, flags: YesFlags): Promise<void> {
  if (flags.yes === true) return printReceipt('Forgotten', await handle.forget(what), memory, flags)
  const counts = await handle.previewForget(what)
  const isNothing = Object.values(counts).every((count) => count === 0)
  const next = isNothing ? undefined : thisLine('--yes')
  if (flags.json === true) return printJson({ done: false, counts, ...(next === undefined ? {} : { next }) })
  print(`Would be forgotten: ${countedKinds(counts)}.`)
  if (next !== undefined) note(`Nothing was done yet. It cannot be undone.\nNext: ${next}`)
}

/** Shows a preview in place of an erasure, and the line that erases. */
export function showErasure(
  shown: object,
  lines: readonly string[],
  would: string,
  { json }: YesFlags,
  undoing = 'It cannot be undone.',
): void {
  const next = thisLine('--yes')
  if (json === true) return printJson({ done: false, ...shown, next })
  print(lines.join('\n'))
  note(`${would} Nothing was done yet. ${undoing}\nNext: ${next}`)
}

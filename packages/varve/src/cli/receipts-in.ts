import type { Memory } from '../memory/memory.ts'
import { parsedReceipt } from '../operations/receipt-check.ts'
import { fileOrInput } from './input.ts'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>

/** Reads a file, or stdin for `-`, with a receipt in each line. A line that holds none is undefined. */
export async function receiptsIn(file: string): Promise<readonly (Receipt | undefined)[]> {
  const lines = (await fileOrInput(file, 'a list of receipts')).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => parsedReceipt(jsonIn(line)))
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // The caller reports the line by its number.
    return undefined
  }
}

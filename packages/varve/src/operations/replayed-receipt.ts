import type { Receipt } from '../storage/erase/receipts.ts'

/** What became of one receipt in a replay. */
export interface ReplayedReceipt {
  /** Its place in the list, from 1: with one receipt a line, the number of the line. */
  readonly line: number
  /** Its id; absent where the line holds no receipt. */
  readonly id?: string
  /** `erased`: something was there again, and is erased again. `gone`: nothing of it is there. `refused`: see `reason`. */
  readonly outcome: 'erased' | 'gone' | 'refused'
  readonly reason?: 'not a receipt' | 'changed' | 'of another store' | 'unsigned'
  /** The receipts of what was erased again. */
  readonly receipts?: readonly Receipt[]
}

import type { Receipt } from '../storage/erase/receipts.ts'

/** A user's settings. */
export interface UserSettings {
  /**
   * Whether sessions of which nothing is said feed what the project shares, if it shares at all; set to false, what
   * they fed is withdrawn. Default true.
   */
  readonly share: boolean
}

/** With the receipt of what was withdrawn from what the project shares, where something was. */
export interface Withdrawn {
  readonly receipt?: Receipt
}

/** Whether a project's bank is shared. */
export interface Sharing {
  readonly on: boolean
  /** Sessions that began since then feed it: UTC milliseconds; 0 for all. */
  readonly since?: number
  /** The text that members see. */
  readonly notice: string
  /** The receipt of withdrawn entries. */
  readonly receipt?: Receipt
}

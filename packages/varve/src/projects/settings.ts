import type { Receipt } from '../storage/erase/receipts.ts'

/** A user's settings. */
export interface UserSettings {
  /**
   * False keeps sessions out of the project's shared bank, unless a session says otherwise. Setting it to false withdraws
   * the bullets that they fed. Default true.
   */
  readonly share: boolean
}

/** A receipt of the bullets that were withdrawn from the project's shared bank, when there were any. */
export interface Withdrawn {
  readonly receipt?: Receipt
}

/** The sharing of a project's bank. */
export interface Sharing {
  readonly on: boolean
  /** The begin of the earliest sessions that feed the bank: UTC milliseconds; 0 for all sessions. */
  readonly since?: number
  /** Present while assistants' answers are shared too: since when, in UTC milliseconds, and whose choice it was. */
  readonly assistants?: { readonly since: number; readonly by?: string }
  /** The text that members see. */
  readonly notice: string
  /** The receipt of the withdrawn entries, when entries were withdrawn. */
  readonly receipt?: Receipt
  /** Changes with the sharing itself: for `expectedVersion`. */
  readonly version: string
}

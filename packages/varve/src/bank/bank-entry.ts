import type { BankEntry } from './show-frontier.ts'
import type { Granularity } from './granularity.ts'

/** An entry of a bank. Times are UTC milliseconds. */
export interface BankRecord {
  readonly id: string
  readonly granularity: Granularity
  /** `2026-11-22` for a conversation or a day, `2026-W47`, `2026-11`, `2026`. */
  readonly period: string
  /**
   * Of a conversation: its session and the session's title. The shared bank leaves them out, since they are private to
   * the member.
   */
  readonly session?: string
  readonly name?: string
  /** On the shared bank: the users whose words it rests on, `~` for the anonymous user. */
  readonly members?: readonly string[]
  /** In order of weight. */
  readonly bullets: readonly string[]
  /** The times of the last and the first message below it, and of its last write: UTC milliseconds. */
  readonly at: number
  readonly firstAt: number
  readonly writtenAt: number
  /** The conversations and messages that it covers. */
  readonly conversations: number
  readonly messages: number
  readonly pinned: boolean
  /** True when a person's words stand in it. */
  readonly corrected: boolean
  /** `extractive`, the model's name, or `person`. */
  readonly writer: string
  /** True when it was written without the model that should have; upkeep writes it again. */
  readonly provisional: boolean
  /** Of a conversation: the messages below it. Of a digest: ids of the entries that it was made from. */
  readonly lineage: readonly { readonly session?: string; readonly from: number; readonly to: number }[]
  readonly children: readonly string[]
  /** Changes with every change of the entry, by hand or by upkeep, and with its pin: for `expectedVersion`. */
  readonly version: string
}

/** The size of a bank. */
export interface BankStats {
  readonly entries: Readonly<Record<Granularity, number>>
  /** Tokens of the bank as it is rendered under the project's budget, and that budget. */
  readonly tokens: number
  readonly maxTokens: number
  /** Conversations that the rendered text leaves out. */
  readonly omitted: number
  readonly pinned: number
  readonly provisional: number
}

/** The block of a bank for a prompt. `text` has at most `maxTokens` exact tokens (o200k_base). */
export interface RenderedBank {
  readonly text: string
  readonly tokens: number
  readonly maxTokens: number
  readonly entries: readonly BankEntry[]
  /** Conversations that are neither rendered nor covered by a digest. */
  readonly omitted: number
}

import type { Kept, RenderCost } from './render.ts'

/** Whose bank is filled: one user's own, or the one that a project's members share. */
export type Whose = 'own' | 'shared'

export interface SceneOptions {
  readonly whose: Whose
  readonly file: string
  readonly days: number
  readonly perDay: number
  readonly members: number
  /** Says now and then how far it is. */
  readonly told: (line: string) => void
}

/** What stood at the end of a simulated day. CPU is since the mark before, in ms a conversation. */
export interface Mark {
  readonly day: number
  readonly conversations: number
  readonly calls: number
  readonly upkeepCpuMs: number
  readonly appendCpuMs: number
  /** Of the database, which lags behind by what only the log has, and of that. */
  readonly bytes: number
  readonly logBytes: number
  readonly renders: readonly RenderCost[]
}

export interface Measured {
  readonly whose: Whose
  readonly conversations: number
  readonly messages: number
  readonly calls: Readonly<Record<string, number>>
  readonly promptTokens: number
  readonly marks: readonly Mark[]
  readonly kept: readonly Kept[]
  /** Of the last 30 days, what the first render took after each conversation was read, under the usual budget. */
  readonly firstMs: readonly number[]
  readonly entries: Readonly<Record<string, number>>
  readonly provisional: number
  readonly warnings: readonly string[]
  readonly wallMs: number
}

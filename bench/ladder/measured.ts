import type { Kept, RenderCost } from './render.ts'

/** The bank that is filled: one user's own, or the shared one of a project's members. */
export type Whose = 'own' | 'shared'

export interface SceneOptions {
  readonly whose: Whose
  readonly file: string
  readonly days: number
  readonly perDay: number
  readonly members: number
  /** Reports progress now and then. */
  readonly told: (line: string) => void
}

/** The figures at the end of a simulated day. CPU is in ms a conversation since the mark before. */
export interface Mark {
  readonly day: number
  readonly conversations: number
  readonly calls: number
  readonly upkeepCpuMs: number
  readonly appendCpuMs: number
  /** Bytes of the database, which lags behind its log, and of the log. */
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
  /** Milliseconds of the first render after each conversation was read, over the last 30 days and under the usual budget. */
  readonly firstMs: readonly number[]
  readonly entries: Readonly<Record<string, number>>
  readonly provisional: number
  readonly warnings: readonly string[]
  readonly wallMs: number
}

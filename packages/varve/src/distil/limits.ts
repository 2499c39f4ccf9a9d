import { dayAround } from '../bank/day.ts'
import type { AskedFor } from './asked-model.ts'
import type { DistilSettings } from './settings.ts'

/** The most times that a model with useless answers is asked anew. After that the extractive writer's words stay. */
export const mostAttempts = 6

/** The bounds of a run: nothing new begins after them. */
export interface Limits {
  /** Milliseconds of performance.now(). */
  readonly until: number
  /** The most requests to a model, counted since the process began. */
  readonly calls: number
  readonly signal: AbortSignal
  /** The run of upkeep, as the ledger names it; absent for work that a caller asked for. */
  readonly run?: string | undefined
  /** Takes the reason why the piece of work at hand, or a part of it, has to be done again. */
  readonly failed?: (reason: string) => void
  /** Takes the problem of an answer, or of a part of one, that could not be used and is not asked for again. */
  readonly unused?: (problem: string) => void
  /** True where the gist of a session in which talk goes on may wait. */
  readonly mayWait?: boolean
  /** The last place of a session that is read. Absent: the last that stands. */
  readonly upTo?: number
  /** True where the answer is at hand to what is asked once more, however useless others were. */
  readonly isAgain?: boolean
}

/** Gives the project, the layers and the ceiling of a call; the ceiling is that of the project's local day. */
export async function askedFor(
  { project, settings }: { project: number; settings: DistilSettings },
  task: string,
  layers: number,
  now: number,
  { run }: Pick<Limits, 'run'>,
): Promise<AskedFor> {
  const { from, to } = await dayAround(now, settings.timeZone)
  return { project, task, layers, run, dayEnds: to, ceiling: { ...settings.ceiling, since: from } }
}

import { VarveError } from '../errors/varve-error.ts'

/** Takes the failures of memory in a host's turns: in codes and words that hold no content. */
export type TurnFailed = (doing: 'context' | 'append', reason: string) => void

/** The reasons that are told apart. */
const mostReasons = 100

/** Counts the failures of a door by reason, and tells of them. */
export class TurnFailures {
  /** How often memory failed, by what it was to do and why: `context memory-late`. */
  readonly counts = new Map<string, number>()
  readonly #told: TurnFailed

  /** Without a listener, each reason is printed once, as a warning of the process. */
  constructor(door: string, told: TurnFailed = (doing, reason) => warn(door, doing, reason, this.counts)) {
    this.#told = told
  }

  failed(doing: 'context' | 'append', reason: string): void {
    const kind = `${doing} ${reason}`
    if (this.counts.has(kind) || this.counts.size < mostReasons) this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    this.#told(doing, reason)
  }
}

function warn(door: string, doing: string, reason: string, counts: ReadonlyMap<string, number>): void {
  if (counts.get(`${doing} ${reason}`) === 1)
    process.emitWarning(`${door}: ${doing} failed, and the turn went on without it: ${reason}`, 'VarveWarning')
}

/** Gives the code of a failure, which holds no content. */
export function codeOf(error: unknown): string {
  return VarveError.is(error) ? error.code : 'STORE_FAILED'
}

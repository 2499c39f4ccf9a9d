import { VarveError } from '../errors/varve-error.ts'

/** Takes the failures of memory in a host's turns: in codes and words that hold no content. */
export type TurnFailed = (doing: 'context' | 'append', reason: string) => void

/** The reasons that are told apart. */
const mostReasons = 100

/** Counts the failures of a door by reason, and tells of them. */
export class TurnFailures {
  /** How often memory failed, by what it was to do and why: `context memory-late`. */
  readonly counts = new Map<string, number>()
  readonly #door: string
  readonly #told: TurnFailed
  readonly #fallen = new Set<string>()

  /** Without a listener, each reason is printed once, as a warning of the process. */
  constructor(door: string, told: TurnFailed = (doing, reason) => warn(door, doing, reason, this.counts)) {
    this.#door = door
    this.#told = told
  }

  failed(doing: 'context' | 'append', reason: string): void {
    const kind = `${doing} ${reason}`
    if (this.counts.has(kind) || this.counts.size < mostReasons) this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    this.calls('onFailed', () => this.#told(doing, reason))
  }

  /** Calls a function that the host gave. One that throws, or whose promise rejects, ends no turn, and is told once. */
  calls(name: string, call: () => unknown): void {
    const fell = (): void => {
      if (this.#fallen.has(name)) return
      this.#fallen.add(name)
      process.emitWarning(`${this.#door}: ${name} failed, and the turn went on`, 'VarveWarning')
    }
    void (async () => call())().catch(fell)
  }

  /** Does a part of a turn. What fails in it is counted, and gives undefined: it ends no turn. */
  async safely<Result>(doing: 'context' | 'append', work: () => Result | Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      this.failed(doing, codeOf(error))
      return undefined
    }
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

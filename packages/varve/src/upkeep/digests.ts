import type { Clock } from '../clock/clock.ts'
import type { Digester } from '../distil/digester.ts'
import type { DigestTasks } from '../distil/digest-tasks.ts'
import { leaseMs, type Limits } from '../distil/distiller.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { Turn } from './loop.ts'

/** Makes the digests that banks are due. */
export class DigestUpkeep {
  readonly #tasks: DigestTasks
  readonly #digester: Digester
  readonly #clock: Clock
  readonly #own: { readonly holder: string; readonly layers: number }

  constructor(tasks: DigestTasks, digester: Digester, clock: Clock, own: { holder: string; layers: number }) {
    this.#tasks = tasks
    this.#digester = digester
    this.#clock = clock
    this.#own = own
  }

  /** Makes what is due until nothing is, or the limits come first; in one project, or in all. */
  async turn(limits: Limits, project: string | undefined): Promise<Turn> {
    let done = 0
    for (;;) {
      const banks = await this.#tasks.dueBanks(this.#clock.now(), { layers: this.#own.layers, canAsk: this.#digester.canAsk, project })
      if (banks.length === 0) return { done, settled: true }
      let held = 0
      for (const bank of banks) {
        if (limits.signal.aborted || (held + done > 0 && performance.now() >= limits.until)) return { done, settled: false }
        const now = this.#clock.now()
        if (!(await this.#tasks.claimBank(bank.partition, this.#own.holder, now, now + leaseMs))) continue
        held += 1
        const { made, settled } = await this.#digest(bank, limits)
        done += made
        if (!settled) return { done, settled: false }
      }
      if (held === 0) return { done, settled: false }
    }
  }

  async #digest(bank: Parameters<Digester['digest']>[0], limits: Limits): Promise<{ made: number; settled: boolean }> {
    const { holder } = this.#own
    try {
      const result = await this.#digester.digest(bank, holder, limits)
      if (!result.settled) await this.#tasks.releaseBank(bank.partition, holder, this.#clock.now())
      return result
    } catch (error) {
      const reason = limits.signal.aborted ? undefined : error instanceof VarveError ? error.code : 'UNEXPECTED'
      await this.#tasks.releaseBank(bank.partition, holder, this.#clock.now(), reason)
      throw error
    }
  }
}

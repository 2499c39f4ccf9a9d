import type { Digester } from '../distil/digester.ts'
import type { Limits } from '../distil/distiller.ts'
import type { LayerGround } from '../distil/layer-ground.ts'
import { VarveError } from '../errors/varve-error.ts'
import { dueBanks } from '../storage/derived/banks.ts'
import type { Turn } from './loop.ts'

/** Banks looked at in one go. */
const banksPerLook = 16

/** Makes the digests that banks are due. */
export class DigestUpkeep {
  readonly #ground: LayerGround
  readonly #digester: Digester
  readonly #own: { readonly holder: string; readonly layers: number }

  constructor(ground: LayerGround, digester: Digester, own: { holder: string; layers: number }) {
    this.#ground = ground
    this.#digester = digester
    this.#own = own
  }

  /** Makes what is due until nothing is, or the limits come first; in one project, or in all. */
  async turn(limits: Limits, project: string | undefined): Promise<Turn> {
    let done = 0
    for (;;) {
      const banks = await this.#ground.read(
        dueBanks(this.#ground.clock.now(), { layers: this.#own.layers, canAsk: this.#digester.canAsk, project }, banksPerLook),
      )
      if (banks.length === 0) return { done, settled: true }
      let held = 0
      for (const bank of banks) {
        if (limits.signal.aborted || (held + done > 0 && performance.now() >= limits.until)) return { done, settled: false }
        if (!(await this.#ground.write.claimBank(bank.partition, this.#own.holder))) continue
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
      if (!result.settled) await this.#ground.write.releaseBank(bank.partition, holder)
      return result
    } catch (error) {
      const reason = limits.signal.aborted ? undefined : error instanceof VarveError ? error.code : 'UNEXPECTED'
      await this.#ground.write.releaseBank(bank.partition, holder, reason)
      throw error
    }
  }
}

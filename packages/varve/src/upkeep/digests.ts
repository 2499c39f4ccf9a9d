import type { Digested, Digester } from '../distil/digester.ts'
import type { WritingMeans } from '../distil/writing-means.ts'
import { type DueBank, dueBanks } from '../storage/derived/banks.ts'
import type { Leases, LeasedWork } from './leased.ts'
import type { UpkeepTurn } from './loop.ts'
import type { TalliedLimits } from './work-tally.ts'
import { turnOf } from './turns.ts'

/** The banks that are looked at in one go. */
const banksPerLook = 16

/** Makes the digests that banks are due. */
export class DigestUpkeep {
  readonly #means: WritingMeans
  readonly #digester: Digester
  readonly #leases: Leases
  readonly #layers: number
  readonly #work: LeasedWork<DueBank, Digested>

  constructor(means: WritingMeans, digester: Digester, leases: Leases, layers: number) {
    this.#means = means
    this.#digester = digester
    this.#leases = leases
    this.#layers = layers
    this.#work = {
      kind: 'bank',
      piece: ({ partition }) => ({ ref: partition, partition }),
      work: (bank, { holder }, limits) => digester.digest(bank, holder, limits),
      // A bank in which nothing more is due was given back with its state.
      giveBack: ({ settled }) => (settled ? undefined : {}),
      progress: (result) => ({ done: result?.made ?? 0, moved: result !== undefined, ends: result?.settled === false }),
    }
  }

  /** Makes due digests until none is due, or the limits come first; in one project, or in all. */
  turn(limits: TalliedLimits, project: string | undefined): Promise<UpkeepTurn> {
    const due = (): Promise<readonly DueBank[]> =>
      this.#means.read(dueBanks(this.#means.clock.now(), { layers: this.#layers, canAsk: this.#digester.canAsk, project }, banksPerLook))
    return turnOf(this.#leases, this.#work, due, limits)
  }
}

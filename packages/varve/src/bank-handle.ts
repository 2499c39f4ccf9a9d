import type { BankRecord, BankStats, RenderedBank } from './bank/bank-entry.ts'
import { granularities, type Granularity } from './bank/granularity.ts'
import { bankTokens } from './bank/settings.ts'
import type { CallOptions } from './call.ts'
import { BudgetExceeded } from './errors/budget-exceeded.ts'
import { InvalidOption } from './errors/invalid-option.ts'
import type { LayerCalls, LayerGround } from './layer-calls.ts'
import { type List, listOf, type ListOptions, listRequest } from './list.ts'
import type { Recalled } from './recall/hit.ts'
import type { RecallOptions } from './recall/request.ts'
import { shown } from './scope/name.ts'
import { givenObject, inRange } from './scope/options.ts'
import type { Receipt } from './storage/erase/receipts.ts'
import { writtenLines } from './user-gists.ts'

const maxBullets = 8

/** A ladder of summaries: conversations, days, weeks, months, years. What is rendered of it is chosen at read time, and fits a budget. */
export class Bank {
  readonly #calls: Pick<LayerCalls, 'guarded' | 'recall'>

  constructor(calls: Pick<LayerCalls, 'guarded' | 'recall'>) {
    this.#calls = calls
  }

  /** How many entries there are, and what is rendered of them under the project's budget. */
  stats(options: CallOptions = {}): Promise<BankStats> {
    return this.#calls.guarded('bank', options, ({ engine, partition }) => engine.read('bank.stats', partition))
  }

  /**
   * Entries, the finest first and the newest first in each granularity; of one granularity, or of all. Default limit 1,000.
   * A list of over 16 MiB of text ends early; its own `cursor` says where the next one goes on, when there are more.
   */
  async entries(options: CallOptions & ListOptions & { granularity?: Granularity } = {}): Promise<List<BankRecord>> {
    const { granularity } = givenObject('options', options)
    if (granularity !== undefined && !granularities.includes(granularity)) {
      throw new InvalidOption({ option: 'granularity', received: shown(granularity), expected: `one of ${granularities.join(', ')}` })
    }
    const request = listRequest(options, { usual: 1_000, most: 100_000 })
    const read = ({ engine, partition }: LayerGround) => engine.read('bank.entries', partition, granularity, request)
    return listOf(await this.#calls.guarded('bank', options, read))
  }

  /**
   * The block that a prompt gets: fine for the recent, coarse for the old, at most `maxTokens` exact tokens (default: the
   * project's `bank.maxTokens`). An empty bank is the empty text. Makes no model call.
   */
  async render(maxTokens?: number, options: CallOptions = {}): Promise<RenderedBank> {
    const budget = maxTokens === undefined ? undefined : inRange('maxTokens', maxTokens, 1, 100 * bankTokens.most, true)
    return this.#calls.guarded('bank', options, ({ engine, partition }) => engine.read('bank.render', partition, budget))
  }

  /** Finds entries: hits of kind `bank`. */
  search(query: string, options: Omit<RecallOptions, 'kinds'> & CallOptions = {}): Promise<Recalled> {
    return this.#calls.recall(query, { ...options, kinds: ['bank'] })
  }

  /** Has an entry rendered whole and first of all. Pins take at most half of the budget: BudgetExceeded beyond that. */
  async pin(id: string, pinned = true, options: CallOptions = {}): Promise<void> {
    if (typeof pinned !== 'boolean') throw new InvalidOption({ option: 'pinned', received: shown(pinned), expected: 'true or false' })
    return this.#calls.guarded('bank', options, async ({ engine, partition }) => {
      const { fits, tokens, maxTokens } = await engine.read('bank.pinFits', partition, String(id))
      if (pinned && !fits) throw new BudgetExceeded({ what: 'the pinned entries', tokens, maxTokens })
      await engine.write('bank.pin', partition, String(id), pinned)
    })
  }

  /**
   * Puts a person's bullets, a line each, in an entry's place. They stay when it is written anew, and go when a
   * message below it is forgotten. Digests above that nobody corrected are taken out, pinned ones too: upkeep makes
   * them again. BudgetExceeded for a pinned entry that would not fit as a pin any more.
   */
  async correct(id: string, text: string, options: CallOptions = {}): Promise<void> {
    const lines = writtenLines('text', text)
    if (lines.length > maxBullets)
      throw new InvalidOption({ option: 'text', received: `${lines.length} lines`, expected: `at most ${maxBullets} lines` })
    return this.#calls.guarded('bank', options, async ({ engine, partition, hint }) => {
      const pins = await engine.read('bank.correctionFits', partition, String(id), lines)
      if (pins?.fits === false) throw new BudgetExceeded({ what: 'the pinned entries', tokens: pins.tokens, maxTokens: pins.maxTokens })
      await engine.write('bank.correct', partition, String(id), lines)
      hint()
    })
  }

  /** Takes an entry out, and all below it; upkeep does not bring it back. The messages stay. */
  delete(id: string, options: CallOptions = {}): Promise<Receipt> {
    return this.#calls.guarded('bank', options, async ({ engine, partition, finishErasure }) =>
      finishErasure((await engine.write('bank.delete', partition, String(id))).receipt),
    )
  }

  /** Takes everything out that was read so far; upkeep does not bring it back. */
  clear(options: CallOptions = {}): Promise<Receipt> {
    return this.#calls.guarded('bank', options, async ({ engine, partition, finishErasure }) =>
      finishErasure((await engine.write('bank.clear', partition)).receipt),
    )
  }

  /**
   * Has upkeep read everything again, what was deleted or cleared included; gives back how many sessions. Needed when
   * the project's time zone was changed.
   */
  rebuild(options: CallOptions = {}): Promise<{ readonly sessions: number }> {
    return this.#calls.guarded('bank', options, async ({ engine, partition }) => ({
      sessions: await engine.write('bank.rebuild', partition),
    }))
  }
}

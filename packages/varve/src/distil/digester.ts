import { dayAround } from '../bank/day.ts'
import { settleMs } from '../bank/sittings.ts'
import type { Clock } from '../clock/clock.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import type { Observer } from '../observe/observer.ts'
import type { DueBank } from '../storage/banks.ts'
import { layerBits } from '../storage/layers.ts'
import type { Written } from './distil-tasks.ts'
import type { DigestBullet } from '../models/writer.ts'
import type { DigestOutline, DigestTasks } from './digest-tasks.ts'
import { askedFor, extractive, leaseMs, type Limits, spanTokens } from './distiller.ts'
import type { ModelCalls } from './model-calls.ts'
import { settingsOf } from './settings.ts'

/** Makes the digests that a bank's budget asks for. */
export class Digester {
  readonly #tasks: DigestTasks
  readonly #calls: ModelCalls | undefined
  readonly #clock: Clock
  readonly #observer: Observer

  constructor(tasks: DigestTasks, calls: ModelCalls | undefined, clock: Clock, observer: Observer) {
    this.#tasks = tasks
    this.#calls = calls
    this.#clock = clock
    this.#observer = observer
  }

  get canAsk(): boolean {
    return this.#calls?.isUp() === true
  }

  /** Makes what is due in a bank that is held; gives back how many, and whether that was all. */
  async digest(bank: DueBank, holder: string, limits: Limits): Promise<{ made: number; settled: boolean }> {
    let made = 0
    // A digest that is made anew makes the one above it due: at most as often as there are rungs, and once to see that nothing is.
    for (let look = 0; look < 6; look += 1) {
      const outlines = await this.#tasks.digestOutlines(bank, this.#clock.now(), this.canAsk)
      let stored = 0
      for (const outline of outlines) {
        if (limits.signal.aborted || (made > 0 && performance.now() >= limits.until) || (this.#calls !== undefined && this.#calls.made >= limits.calls)) return { made, settled: false }
        if (await this.#make(bank, outline, holder, limits)) stored += 1
      }
      made += stored
      if (stored > 0) continue
      await this.#tasks.seenBank(bank.partition, holder, bank.seq, this.#nextLook(bank))
      return { made, settled: true }
    }
    return { made, settled: false }
  }

  async #make(bank: DueBank, outline: DigestOutline, holder: string, limits: Limits): Promise<boolean> {
    const { bullets, ...written } = await this.#write(bank, outline, limits)
    const digest = await this.#tasks.composeDigest(outline, bullets, written)
    const isStored = await this.#tasks.storeDigest(digest, { partition: outline.partition, basis: outline.basis, holder }, this.#clock.now(), this.#clock.now() + leaseMs)
    if (isStored) this.#observer.count('digested')
    return isStored
  }

  async #write(bank: DueBank, outline: DigestOutline, limits: Limits): Promise<{ bullets: readonly DigestBullet[] } & Written> {
    const [only] = outline.children
    if (outline.isTrivial && only !== undefined) return { bullets: only.bullets.map((text) => ({ text, from: [0] })), writer: only.writer, provisional: only.provisional }
    if (this.#calls === undefined) return { bullets: await this.#tasks.extractDigest(outline), writer: extractive, provisional: false }
    const answer = this.#calls.isUp() ? await this.#ask(this.#calls, bank, outline, limits) : undefined
    const parsed = answer === undefined ? undefined : await this.#tasks.parseDigest(outline, answer)
    if (parsed !== undefined && 'bullets' in parsed) return { bullets: parsed.bullets, writer: this.#calls.model.name, provisional: false }
    return { bullets: await this.#tasks.extractDigest(outline), writer: extractive, provisional: true }
  }

  async #ask(calls: ModelCalls, bank: DueBank, outline: DigestOutline, limits: Limits): Promise<Readonly<Record<string, unknown>> | undefined> {
    const about = askedFor({ project: bank.project, settings: settingsOf(bank.settings) }, 'digest', bank.isShared ? layerBits.shared : layerBits.bank, this.#clock.now())
    try {
      return (await calls.ask(await this.#tasks.askDigest(outline, spanTokens(await calls.model.window(limits.signal))), about, limits.signal)).object
    } catch (error) {
      if (error instanceof ModelFailed) return undefined
      throw error
    }
  }

  /** What is due changes with the day: a period is over, or old enough. */
  #nextLook({ settings }: DueBank): number {
    return dayAround(this.#clock.now(), settingsOf(settings).timeZone).to + 6 * settleMs
  }
}

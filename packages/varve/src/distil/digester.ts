import { dayAround } from '../bank/day.ts'
import { settleMs } from '../bank/settled.ts'
import type { Clock } from '../clock/clock.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import { type DigestBullet, extractive } from '../models/writer.ts'
import type { Observer } from '../observe/observer.ts'
import type { DueBank } from '../storage/derived/banks.ts'
import { layerBits } from '../storage/layers.ts'
import type { Written } from './distil-tasks.ts'
import type { DigestOutline, DigestTasks } from './digest-tasks.ts'
import { askedFor, leaseMs, type Limits, mostAttempts, spanTokens } from './distiller.ts'
import type { ModelCalls } from './model-calls.ts'
import type { Problem } from './prompts/problem.ts'
import { settingsOf } from './settings.ts'

/** Looks in one run: a rung each, and one to see that nothing is left. */
const mostLooks = 8

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
    const run = new DigestRun(bank, holder, limits)
    // A digest that is made anew makes the one above it due: at most as often as there are rungs, and once to see that nothing is.
    for (let look = 0; look < mostLooks; look += 1) {
      const outlines = (await this.#tasks.digestOutlines(bank, this.#clock.now(), this.canAsk)).filter(({ path }) => !run.wasTried(path))
      const before = run.made
      for (const outline of outlines) {
        if (run.isOver(this.#calls)) return { made: run.made, settled: false }
        if (await this.#make(run, outline)) run.made += 1
      }
      if (run.made > before) continue
      await this.#leave(run)
      return { made: run.made, settled: true }
    }
    return { made: run.made, settled: false }
  }

  /** Nothing more is due, or what is has to wait until the model is back. */
  async #leave({ bank, holder, problem, notBefore, made }: DigestRun): Promise<void> {
    if (made > 0) this.#observer.emit({ type: 'digested', project: bank.projectName, digests: made })
    if (problem === undefined) await this.#tasks.seenBank(bank.partition, holder, bank.seq + bank.epoch, await this.#nextLook(bank))
    else await this.#tasks.releaseBank(bank.partition, holder, this.#clock.now(), problem, notBefore)
  }

  async #make(run: DigestRun, outline: DigestOutline): Promise<boolean> {
    const { bullets, ...written } = await this.#write(run, outline)
    const { holder } = run
    const digest = await this.#tasks.composeDigest(outline, bullets, written)
    const isStored = await this.#tasks.storeDigest(digest, { partition: outline.partition, basis: outline.basis, holder }, this.#clock.now(), this.#clock.now() + leaseMs)
    if (isStored) this.#observer.count('digested')
    if (written.provisional) run.leaveProvisional(outline.path)
    return isStored
  }

  /** A person's words stay: beside them only what they do not stand for is told. */
  async #write(run: DigestRun, outline: DigestOutline): Promise<{ bullets: readonly DigestBullet[] } & Written> {
    if (outline.hand === null) return this.#tell(run, outline)
    const places = outline.children.flatMap(({ isNew }, place) => (isNew ? [place] : []))
    if (places.length === 0) return { bullets: [], writer: extractive, provisional: false }
    const { bullets, ...written } = await this.#tell(run, { ...outline, children: outline.children.filter(({ isNew }) => isNew), isTrivial: places.length === 1 })
    return { ...written, bullets: bullets.map(({ text, from }) => ({ text, from: from.map((at) => places[at] ?? 0) })) }
  }

  async #tell(run: DigestRun, outline: DigestOutline): Promise<{ bullets: readonly DigestBullet[] } & Written> {
    const [only] = outline.children
    if (outline.isTrivial && only !== undefined) return { bullets: only.bullets.map((text) => ({ text, from: [0] })), writer: only.writer, provisional: false }
    if (this.#calls === undefined) return { bullets: await this.#tasks.extractDigest(outline), writer: extractive, provisional: false }
    const bullets = await this.#ask(this.#calls, run, outline)
    if (bullets !== undefined) return { bullets, writer: this.#calls.model.name, provisional: false }
    return { bullets: await this.#tasks.extractDigest(outline), writer: extractive, provisional: run.mayTryAgain }
  }

  /** Asked once more where the answer cannot be used; undefined when that one cannot either, or there is none. */
  async #ask(calls: ModelCalls, run: DigestRun, outline: DigestOutline): Promise<readonly DigestBullet[] | undefined> {
    const about = await askedFor({ project: run.bank.project, settings: settingsOf(run.bank.settings) }, 'digest', run.bank.isShared ? layerBits.shared : layerBits.bank, this.#clock.now())
    let problem: Problem | undefined
    for (let tries = 0; tries < 2; tries += 1) {
      if (!calls.isUp()) return run.failed('the model failed a moment ago', calls.notBefore)
      try {
        const { object } = await calls.ask(await this.#tasks.askDigest(outline, spanTokens(await calls.model.window(run.limits.signal)), problem), about, run.limits.signal)
        const parsed = await this.#tasks.parseDigest(outline, object)
        if ('bullets' in parsed) return parsed.bullets
        problem = parsed.problem
      } catch (error) {
        if (!(error instanceof ModelFailed)) throw error
        return run.failed(error.reason, this.#clock.now() + (error.retryAfterMs ?? 0))
      }
    }
    run.isUnusable = true
    return run.failed(problem ?? 'its answer cannot be used', 0)
  }

  /** What is due changes with the day: a period is over, or old enough. */
  async #nextLook({ settings }: DueBank): Promise<number> {
    return (await dayAround(this.#clock.now(), settingsOf(settings).timeZone)).to + 6 * settleMs
  }
}

/** One run over a bank, and what went wrong in it. */
class DigestRun {
  readonly bank: DueBank
  readonly holder: string
  readonly limits: Limits
  made = 0
  problem: string | undefined
  notBefore = 0
  /** Whether the model answers, but with what cannot be used. */
  isUnusable = false
  readonly #provisional = new Set<string>()

  constructor(bank: DueBank, holder: string, limits: Limits) {
    this.bank = bank
    this.holder = holder
    this.limits = limits
  }

  /** A model whose answers cannot be used is not asked for ever. */
  get mayTryAgain(): boolean {
    return !this.isUnusable || this.bank.attempts < mostAttempts
  }

  isOver(calls: ModelCalls | undefined): boolean {
    const { signal, until, calls: most } = this.limits
    return signal.aborted || (this.made > 0 && performance.now() >= until) || (calls !== undefined && calls.made >= most)
  }

  failed(problem: string, notBefore: number): undefined {
    this.problem = problem
    this.notBefore = Math.max(this.notBefore, notBefore)
    return undefined
  }

  /** Written without the model: it is due again, and not in this run. */
  leaveProvisional(path: string): void {
    this.#provisional.add(path)
  }

  wasTried(path: string): boolean {
    return this.#provisional.has(path)
  }
}

import { dayAround } from '../bank/day.ts'
import { openForMs } from '../bank/settled.ts'
import { bank } from '../layers/bank.ts'
import { shared } from '../layers/shared.ts'
import { type DigestBullet, extractive } from '../models/writer.ts'
import type { DueBank } from '../storage/derived/banks.ts'
import { askUnlessDown, type NoAnswer } from './ask-unless-down.ts'
import type { AskedModel } from './asked-model.ts'
import type { DigestOutline } from './digest-outline.ts'
import { Digests } from './digests.ts'
import { askedFor, type Limits, mostAttempts } from './limits.ts'
import { spanTokens } from './span-tokens.ts'
import type { WritingMeans } from './writing-means.ts'
import type { Problem } from '../tasks/problem.ts'
import { settingsOf } from './settings.ts'
import type { Again } from '../storage/work.ts'
import type { Written } from '../tasks/parts/read-span.ts'

/** The most looks in one run: one for each rung, and one to see that nothing is left. */
const mostLooks = 8

/**
 * The result of work on a bank: the number of digests made. `settled` is true when nothing is left; such a bank is
 * already given back.
 */
export interface Digested {
  readonly made: number
  readonly settled: boolean
}

/** Makes the digests that a bank's budget asks for. */
export class Digester {
  readonly #means: WritingMeans
  readonly #digests: Digests
  readonly #model: AskedModel | undefined

  constructor(means: WritingMeans, model: AskedModel | undefined) {
    this.#means = means
    this.#digests = new Digests(means)
    this.#model = model
  }

  get canAsk(): boolean {
    return this.#model?.isUp() === true
  }

  /** Makes the due digests of a bank that is held. */
  async digest(bank: DueBank, holder: string, limits: Limits): Promise<Digested> {
    const run = new DigestRun(bank, holder, limits)
    // A new digest makes the one above it due, at most once a rung. One more look sees that nothing is left.
    for (let look = 0; look < mostLooks; look += 1) {
      const outlines = (await this.#digests.outlines(bank, this.#means.clock.now(), this.canAsk)).filter(({ path }) => !run.wasTried(path))
      const before = run.made
      for (const outline of outlines) {
        if (run.isOver(this.#model)) return { made: run.made, settled: false }
        if (await this.#make(run, outline)) run.made += 1
      }
      if (run.made > before) continue
      await this.#leave(run)
      return { made: run.made, settled: true }
    }
    return { made: run.made, settled: false }
  }

  /** Gives the bank back: nothing is due, or the rest waits until the model is back. */
  async #leave({ bank, holder, problem, made, limits }: DigestRun): Promise<void> {
    if (problem !== undefined) limits.failed?.(problem.reason)
    if (made > 0) this.#means.observer.emit({ type: 'digested', project: bank.projectName, digests: made })
    if (problem === undefined) await this.#means.write.seenBank(bank.partition, holder, bank.seq + bank.epoch, await this.#nextLook(bank))
    else await this.#means.write.release('bank', bank.partition, holder, problem)
  }

  async #make(run: DigestRun, outline: DigestOutline): Promise<boolean> {
    const { bullets, ...written } = await this.#write(run, outline)
    const { holder } = run
    const digest = await this.#digests.compose(outline, bullets, written)
    const isStored = await this.#means.write.storeDigest(digest, { partition: outline.partition, basis: outline.basis, holder })
    if (isStored) this.#means.observer.count('digested')
    if (written.provisional) run.leaveProvisional(outline.path)
    return isStored
  }

  /** Writes a digest. A person's words stay; beside them it covers only the children that they do not stand for. */
  async #write(run: DigestRun, outline: DigestOutline): Promise<{ bullets: readonly DigestBullet[] } & Written> {
    if (outline.hand === null) return this.#tell(run, outline)
    const places = outline.children.flatMap(({ isNew }, place) => (isNew ? [place] : []))
    if (places.length === 0) return { bullets: [], writer: extractive, provisional: false }
    const { bullets, ...written } = await this.#tell(run, {
      ...outline,
      children: outline.children.filter(({ isNew }) => isNew),
      isTrivial: places.length === 1,
    })
    return { ...written, bullets: bullets.map(({ text, from }) => ({ text, from: from.map((at) => places[at] ?? 0) })) }
  }

  async #tell(run: DigestRun, outline: DigestOutline): Promise<{ bullets: readonly DigestBullet[] } & Written> {
    const [only] = outline.children
    if (outline.isTrivial && only !== undefined)
      return { bullets: only.bullets.map((text) => ({ text, from: [0] })), writer: only.writer, provisional: false }
    if (this.#model === undefined) return { bullets: await this.#digests.extract(outline), writer: extractive, provisional: false }
    const bullets = await this.#ask(this.#model, run, outline)
    if (bullets !== undefined) return { bullets, writer: this.#model.name, provisional: false }
    return { bullets: await this.#digests.extract(outline), writer: extractive, provisional: run.mayTryAgain }
  }

  /**
   * Asks the model, and once more when the answer cannot be used. Undefined when that one cannot be used either, or
   * there is none.
   */
  async #ask(model: AskedModel, run: DigestRun, outline: DigestOutline): Promise<readonly DigestBullet[] | undefined> {
    const about = await askedFor(
      { project: run.bank.project, settings: settingsOf(run.bank.settings) },
      'digest',
      (run.bank.isShared ? shared : bank).bit,
      this.#means.clock.now(),
      run.limits,
    )
    const { signal } = run.limits
    let problem: Problem | undefined
    for (let tries = 0; tries < 2; tries += 1) {
      // A server that is down is not asked for its window: this request is not sent.
      const asked = await this.#digests.ask(outline, spanTokens(model.isUp() ? await model.window(signal) : undefined), problem)
      const answer = await askUnlessDown(model, [asked, about], this.#means.clock, signal)
      if ('reason' in answer) return run.failed(answer)
      const parsed = await this.#digests.parse(outline, answer.object)
      if ('bullets' in parsed) return parsed.bullets
      problem = parsed.problem
    }
    return run.failed({ reason: problem ?? 'its answer cannot be used', notBefore: 0, isUntried: false, isOfRequest: true })
  }

  /** Gives the time of the next look. Due work changes with the day: a period ends, or grows old enough. */
  async #nextLook({ settings }: DueBank): Promise<number> {
    const { timeZone, settleMs } = settingsOf(settings)
    return (await dayAround(this.#means.clock.now(), timeZone)).to + openForMs(settleMs)
  }
}

/** One run over a bank, with its problems. */
class DigestRun {
  readonly bank: DueBank
  readonly holder: string
  readonly limits: Limits
  made = 0
  problem: (Again & { readonly reason: string }) | undefined
  /** True when requests for this bank failed by themselves, or got answers that cannot be used. */
  #isUnusable = false
  readonly #provisional = new Set<string>()

  constructor(bank: DueBank, holder: string, limits: Limits) {
    this.bank = bank
    this.holder = holder
    this.limits = limits
  }

  /** False after too many useless answers: such a model is not asked for ever. */
  get mayTryAgain(): boolean {
    return !this.#isUnusable || this.bank.attempts < mostAttempts
  }

  isOver(model: AskedModel | undefined): boolean {
    const { signal, until, calls: most } = this.limits
    return signal.aborted || (this.made > 0 && performance.now() >= until) || (model !== undefined && model.made >= most)
  }

  failed({ reason, notBefore, isUntried, isOfRequest }: NoAnswer): undefined {
    this.#isUnusable ||= isOfRequest
    this.problem = {
      reason,
      notBefore: Math.max(this.problem?.notBefore ?? 0, notBefore),
      isUntried: isUntried && this.problem?.isUntried !== false,
    }
    return undefined
  }

  /** Notes a digest that was written without the model: it is due again, but not in this run. */
  leaveProvisional(path: string): void {
    this.#provisional.add(path)
  }

  wasTried(path: string): boolean {
    return this.#provisional.has(path)
  }
}

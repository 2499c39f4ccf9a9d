import type { Bank, UserMemory } from '../../packages/varve/src/index.ts'
import { measuring } from '../shared/usage.ts'
import type { Mark, Measured, SceneOptions } from './measured.ts'
import { bytesOf, type Opened, openStore, project } from './open-store.ts'
import { budgets, costOfRender, look, msOfRender, nothingSeen, type RenderCost } from './render.ts'
import { type Conversation, Talk } from './talk.ts'

/** Monday 1 January 2024, 00:00 UTC. Two years have a leap day and two turns of the year. */
const firstDay = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000
/** A session is settled after 10 minutes; a running server looks every second. */
const untilReadMs = 10 * 60_000 + 1_000
/** The time after midnight when the bank is looked at again, because the day is over for good. */
const nightlyMs = 61 * 60_000
const ages: ReadonlySet<number> = new Set([30, 180, 365, 730])
const charactersAToken = 4
/** The days at the end in which each conversation is followed by a render. */
const recentDays = 30

/** Simulates the days: each conversation is appended when it ends and read by upkeep when it is settled. */
export async function live(options: SceneOptions): Promise<Measured> {
  const life = new Life(options, await openStore(options, firstDay))
  for (let day = 1; day <= options.days; day += 1) {
    await life.day(day)
    if (ages.has(day) || day === options.days) await life.mark(day)
  }
  return life.end()
}

/** A simulated life: time moves from conversation to conversation, with upkeep after each. */
class Life {
  readonly #options: SceneOptions
  readonly #opened: Opened
  readonly #talk: Talk
  readonly #bank: Bank
  readonly #members = new Map<string, UserMemory>()
  readonly #kept = budgets.map(nothingSeen)
  readonly #marks: Mark[] = []
  readonly #start = performance.now()
  /** Conversations that ended and are not yet settled, in that order. */
  #waiting: readonly Conversation[] = []
  #conversations = 0
  #messages = 0
  /** The first render after each conversation was read, over the last days. */
  readonly #firstMs: number[] = []
  #isLate = false
  #upkeepCpuMs = 0
  #appendCpuMs = 0

  constructor(options: SceneOptions, opened: Opened) {
    this.#options = options
    this.#opened = opened
    this.#talk = new Talk(1, options.whose === 'own' ? 1 : options.members)
    this.#bank = options.whose === 'own' ? this.#member('member-1').bank : opened.memory.project(project).bank
  }

  async day(day: number): Promise<void> {
    this.#isLate = day > this.#options.days - recentDays
    const begin = firstDay + (day - 1) * dayMs
    if (day > 1) await this.#upkeep(begin + nightlyMs)
    for (const conversation of this.#talk.day(begin, this.#options.perDay)) {
      await this.#settle(conversation.endedAt)
      await this.#append(conversation)
    }
    // Conversations that run over midnight are really read on the next day; no other talk comes before that.
    await this.#settle(Number.POSITIVE_INFINITY)
    for (const kept of this.#kept) await look(kept, this.#bank, this.#conversations, this.#opened.tokenizer)
    if (day % 73 === 0) this.#options.told(`${this.#options.whose}: day ${day}, ${Math.round((performance.now() - this.#start) / 1_000)} s`)
  }

  async mark(day: number): Promise<void> {
    const renders: RenderCost[] = []
    for (const budget of budgets) renders.push(await costOfRender(this.#bank, day, budget))
    const since = this.#conversations - (this.#marks.at(-1)?.conversations ?? 0)
    this.#marks.push({
      day,
      conversations: this.#conversations,
      calls: totalOf(this.#opened.model.calls),
      renders,
      ...bytesOf(this.#options.file),
      upkeepCpuMs: this.#upkeepCpuMs / since,
      appendCpuMs: this.#appendCpuMs / since,
    })
    ;[this.#upkeepCpuMs, this.#appendCpuMs] = [0, 0]
    const rendering = renders.map(({ budget, p50, cpuMs }) => `${p50.toFixed(1)} ms (CPU ${cpuMs.toFixed(1)}) at ${budget}`).join(', ')
    this.#options.told(
      `${this.#options.whose}: day ${day}, upkeep ${this.#marks.at(-1)?.upkeepCpuMs.toFixed(1)} CPU-ms a conversation, ` +
        `rendering ${rendering}`,
    )
  }

  async end(): Promise<Measured> {
    const { entries, provisional } = await this.#bank.stats()
    await this.#opened.memory.close()
    return {
      whose: this.#options.whose,
      conversations: this.#conversations,
      messages: this.#messages,
      calls: Object.fromEntries(this.#opened.model.calls),
      promptTokens: this.#opened.model.promptCharacters() / charactersAToken,
      marks: this.#marks,
      kept: this.#kept,
      firstMs: this.#firstMs,
      entries,
      provisional,
      warnings: this.#opened.warnings,
      wallMs: performance.now() - this.#start,
    }
  }

  /** Runs upkeep for each conversation that was settled by then, at its time. */
  async #settle(until: number): Promise<void> {
    for (;;) {
      const [next] = this.#waiting
      if (next === undefined || next.endedAt + untilReadMs > until) return
      this.#waiting = this.#waiting.slice(1)
      await this.#upkeep(next.endedAt + untilReadMs)
      if (this.#isLate) this.#firstMs.push(await msOfRender(this.#bank))
    }
  }

  async #append(conversation: Conversation): Promise<void> {
    this.#opened.clock.set(conversation.endedAt)
    const cost = measuring()
    await this.#member(conversation.member).append(conversation.session, conversation.messages)
    this.#appendCpuMs += cost().cpuMs
    this.#waiting = [...this.#waiting, conversation]
    this.#conversations += 1
    this.#messages += conversation.messages.length
  }

  async #upkeep(at: number): Promise<void> {
    this.#opened.clock.set(at)
    const ownBefore = this.#opened.model.ownCpuMs()
    const cost = measuring()
    const { settled } = await this.#opened.memory.upkeep.run()
    this.#upkeepCpuMs += cost().cpuMs - (this.#opened.model.ownCpuMs() - ownBefore)
    if (!settled) this.#opened.warnings.push('upkeep left work undone')
  }

  #member(name: string): UserMemory {
    const known = this.#members.get(name) ?? this.#opened.memory.for({ project, user: name })
    this.#members.set(name, known)
    return known
  }
}

function totalOf(calls: ReadonlyMap<string, number>): number {
  return [...calls.values()].reduce((sum, count) => sum + count, 0)
}

import { failingOpen, withDegraded } from './asking.ts'
import type { CallOptions } from './call.ts'
import { checkedChanges, checkedFact, type FactChanges, type FactInput } from './facts/check-fact.ts'
import type { Fact } from './facts/fact.ts'
import {
  type FactQuery,
  factRequest,
  type FactTimes,
  limitOf,
  mostFactsTold,
  refuseUnknownKeys,
  type Time,
  words,
} from './facts/request.ts'
import type { Ground } from './ground.ts'
import type { LayerCalls, LayerGround } from './layer-calls.ts'
import { listOf } from './list.ts'
import type { FactHit } from './recall/hit.ts'
import { type RecallOptions, recallRequest } from './recall/request.ts'
import { givenObject, inRange, timeOption } from './scope/options.ts'
import type { PartitionId } from './scope/partition.ts'

/** Facts that were found; best first. */
export interface RecalledFacts {
  readonly hits: readonly FactHit[]
  /** What kept recall from its best; empty when nothing did. */
  readonly degraded: readonly string[]
}

/** How far facts are followed from a name, at most. */
const mostHops = 4

const timeKeys: ReadonlySet<string> = new Set(['validAt', 'asOf'])
const callKeys: ReadonlySet<string> = new Set(['signal', 'deadlineMs'])
const historyKeys: ReadonlySet<string> = new Set(['subject', 'predicate'])
const aroundKeys: ReadonlySet<string> = new Set(['hops', 'limit', ...timeKeys, ...callKeys])
const retractKeys: ReadonlySet<string> = new Set(['validUntil', ...callKeys])
const listKeys: ReadonlySet<string> = new Set(['subject', 'limit', ...timeKeys, ...callKeys])

/**
 * What is known: subject, predicate and object, when it is true and when it was believed, and by whose words. What was said
 * is stored, and when it holds is derived from it: so that a forgotten statement leaves nothing behind.
 */
export class UserFacts {
  readonly #calls: LayerCalls
  readonly #ground: Ground
  readonly #partition: PartitionId

  constructor(calls: LayerCalls, ground: Ground, partition: PartitionId) {
    this.#calls = calls
    this.#ground = ground
    this.#partition = partition
  }

  /** What holds now, what was said last first; of one subject, or of all. Default limit 50. */
  async list(options: FactTimes & CallOptions & { subject?: string; limit?: number } = {}): Promise<readonly Fact[]> {
    refuseUnknownKeys('options', options, listKeys)
    return this.query(options)
  }

  /**
   * Facts by subject, predicate and object: what holds now as far as is known now, or at other times; what was said last
   * first. Empty when nothing was said of it.
   *
   * @example await ada.facts.query({ subject: 'I', predicate: 'lives in', validAt: '2026-06-01' })
   */
  async query(query: FactQuery & CallOptions): Promise<readonly Fact[]> {
    return this.#calls.guarded('facts', query, async ({ engine, clock, partition }) =>
      listOf(await engine.read('facts.query', partition, factRequest(query, clock.now()))),
    )
  }

  /** Finds facts by their words and their meaning; the options are those of `recall`, with the times. Fails open as recall does. */
  async recall(
    question: string,
    options: Omit<RecallOptions, 'kinds' | 'metadata' | 'neighbours'> & FactTimes & CallOptions = {},
  ): Promise<RecalledFacts> {
    const { engine, clock, questions } = this.#ground
    const { validAt, asOf, ...others } = givenObject('options', options)
    const now = clock.now()
    const request = recallRequest(question, others, now)
    const times = factRequest({ ...(validAt === undefined ? {} : { validAt }), ...(asOf === undefined ? {} : { asOf }) }, now)
    return failingOpen<RecalledFacts>(this.#ground, 'facts', { hits: [], degraded: [] }, () =>
      this.#calls.guarded('facts', options, async () => {
        const { vector, degraded } = await questions.of(this.#partition, request.query)
        return withDegraded(
          {
            hits: await engine.read('recall.facts', this.#partition, { ...request, validAt: times.validAt, asOf: times.asOf }, vector),
            degraded: [],
          },
          degraded,
        )
      }),
    )
  }

  /**
   * What holds within so many steps of a name (1 to 4, default 2): its own facts, those of what they speak of, and so
   * on. Default limit 100.
   */
  async around(
    entity: string,
    options: FactTimes & CallOptions & { hops?: number; limit?: number } = {},
  ): Promise<readonly (Fact & { readonly hops: number })[]> {
    refuseUnknownKeys('options', options, aroundKeys)
    const name = words('subject', entity)
    const request = { hops: inRange('hops', options.hops ?? 2, 1, mostHops, true), limit: limitOf(options.limit, 100) }
    return this.#calls.guarded('facts', options, async ({ engine, clock, partition }) => {
      const { validAt, asOf } = timesOf(options, clock.now())
      return listOf(await engine.read('facts.around', partition, name, { ...request, validAt, asOf }))
    })
  }

  /**
   * All that was ever believed of what a fact is about (by its id), or of a subject, perhaps with a predicate: what
   * took its place too. What began first first.
   */
  async history(of: string | { subject: string; predicate?: string }, options: CallOptions = {}): Promise<readonly Fact[]> {
    refuseUnknownKeys('options', options, callKeys)
    if (typeof of !== 'string') refuseUnknownKeys('history', of, historyKeys)
    const asked =
      typeof of === 'string'
        ? { id: of }
        : { subject: words('subject', of.subject), predicate: of.predicate === undefined ? undefined : words('predicate', of.predicate) }
    return this.#calls.guarded('facts', options, async ({ engine, partition }) =>
      listOf(await engine.read('facts.history', partition, asked, { limit: mostFactsTold })),
    )
  }

  /**
   * Adds a fact by hand. Of a predicate with one object at a time it closes the one before it, and comes in its place if it
   * began earlier; the same fact said again has one source more.
   *
   * @example await ada.facts.add({ subject: 'I', predicate: 'works at', object: 'the ferry office', validFrom: '2026-03-01' })
   */
  async add(fact: FactInput, options: CallOptions = {}): Promise<Fact> {
    refuseUnknownKeys('options', options, callKeys)
    const checked = checkedFact(fact)
    return this.#changed(options, ({ engine, partition }) => engine.write('facts.add', partition, checked))
  }

  /**
   * Puts a fact right, with effect on the past: it never was as it was said. When it began stays, unless that is what
   * is wrong. For something that changed, add what is new.
   */
  async correct(id: string, changes: FactChanges, options: CallOptions = {}): Promise<Fact> {
    refuseUnknownKeys('options', options, callKeys)
    const checked = checkedChanges(changes)
    return this.#changed(options, ({ engine, partition }) => engine.write('facts.correct', partition, String(id), checked))
  }

  /**
   * Takes a fact back: it never was so; or, with `validUntil`, it was so until then. Its history still tells what was
   * believed. To erase words, forget the messages.
   */
  async retract(id: string, options: CallOptions & { validUntil?: Time } = {}): Promise<Fact> {
    refuseUnknownKeys('options', options, retractKeys)
    const until = options.validUntil === undefined ? null : timeOption('validUntil', options.validUntil)
    return this.#changed(options, ({ engine, partition }) => engine.write('facts.retract', partition, String(id), until))
  }

  /**
   * Makes a change, then tells the fact in a read: whether it is doubtful may rest on thousands of others, and who
   * writes does not wait for that.
   */
  async #changed(options: CallOptions, change: (ground: LayerGround) => Promise<string>): Promise<Fact> {
    return this.#calls.guarded('facts', options, async (ground) => {
      const id = await change(ground)
      ground.hint()
      return ground.engine.read('facts.tell', ground.partition, id)
    })
  }

  /**
   * Has a name count as another from now on, in what was said before as well: `merge('Sandy', 'Alexandra Wind')`,
   * `merge('Addie', 'I')`.
   */
  async merge(entity: string, into: string, options: CallOptions = {}): Promise<void> {
    refuseUnknownKeys('options', options, callKeys)
    const [name, other] = [words('subject', entity), words('subject', into)]
    return this.#calls.guarded('facts', options, ({ engine, partition }) => engine.write('facts.merge', partition, name, other))
  }
}

function timesOf(options: FactTimes, now: number): { validAt: number; asOf: number } {
  const given = Object.fromEntries(Object.entries(options).filter(([key]) => timeKeys.has(key)))
  return factRequest(given, now)
}

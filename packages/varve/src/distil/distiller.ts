import { growingCache } from '../caches/growing-cache.ts'
import { dayAround } from '../bank/day.ts'
import type { ModelAnswer } from '../models/language-model.ts'
import { askedToForget, extractive, type Sentence } from '../models/writer.ts'
import type { Composed, ReadState } from '../storage/derived/distilled.ts'
import { bitOf, layersIn, onceShift, sharedBits } from '../storage/layers.ts'
import { type NewPart, statedIn } from '../storage/derived/part-stores.ts'
import type { Outline } from './compose.ts'
import { Fusions } from './fusions.ts'
import type { WritingMeans } from './writing-means.ts'
import { answered, type NoAnswer } from './answered.ts'
import { type SizedPrompt, type AskedFor, type AskedModel, handedWindow } from './asked-model.ts'
import type { Chunk, Written } from '../tasks/parts/read-span.ts'
import type { BadPart, SpanOf } from './span-of.ts'
import { newEnds } from './instruction-ends.ts'
import { stateEndsIn } from './state-ends.ts'
import { Spans } from './spans.ts'
import type { Problem } from '../tasks/problem.ts'
import type { SessionReading } from './session-reading.ts'
import type { DistilSettings } from './settings.ts'

/** The most times that a model with useless answers is asked anew. After that the extractive writer's words stay. */
export const mostAttempts = 6

/** After so many spans in a row of which nothing can be used, a model is not asked about the rest of the session. */
const mostUseless = 2

/** The bounds of a run: nothing new begins after them. */
export interface Limits {
  /** Milliseconds of performance.now(). */
  readonly until: number
  /** The most requests to a model, counted since the process began. */
  readonly calls: number
  readonly signal: AbortSignal
  /** The run of upkeep, as the ledger names it; absent for work that a caller asked for. */
  readonly run?: string | undefined
  /** Takes the reason why the piece of work at hand, or a part of it, has to be done again. */
  readonly failed?: (reason: string) => void
  /** Takes the problem of an answer, or of a part of one, that could not be used and is not asked for again. */
  readonly unused?: (problem: string) => void
  /** The last place of a session that is read. Absent: the last that stands. */
  readonly upTo?: number
  /** True where the answer is at hand to what is asked once more, however useless others were. */
  readonly isAgain?: boolean
}

/**
 * The result of a reading: `done`; `more` when the limits came first, with the parts so far kept; `stale` when the
 * session changed meanwhile.
 */
export type Distilled = 'done' | 'more' | 'stale'

/** Tokens of a span that is read without a model: several times the usual length of forty messages. */
const extractiveTokens = 32_000

/**
 * Tokens of a model's window that are reserved for instructions and answer, for one layer and for all layers together.
 * `margin` allows for errors of the estimate.
 */
const reservedTokens = 3_000
const reservedForAll = 6_000
const margin = 0.8
const leastSpanTokens = 500

/** The assumed window of a model that was down from the start. */
const leastWindow = 8_192

/** Under this window a call is for one layer. */
const wholeWindow = 16_384

/** The most sessions whose failed requests are remembered; those of another are made again. */
const mostCutShort = 10_000

/** Reads sessions and writes their layers. */
export class Distiller {
  readonly #means: WritingMeans
  readonly #spans: Spans
  readonly #fusions: Fusions
  readonly #model: AskedModel | undefined
  readonly #layers: number
  /** A careful guess until the model tells its window. */
  #window = leastWindow
  /**
   * Sessions whose reading ended early, with the requests that failed. These are not made again before the reading is
   * complete.
   */
  readonly #cutShort: CutShort
  /** Spans without an answer at the last reading of their session: they come last at the next one. */
  readonly #failedLast = growingCache<number, ReadonlySet<string>>(mostCutShort)

  /** Distillers with one `cutShort` go on with each other's readings. */
  constructor(means: WritingMeans, model: AskedModel | undefined, layers: number, cutShort = new CutShort()) {
    this.#means = means
    this.#cutShort = cutShort
    this.#spans = new Spans(means)
    this.#fusions = new Fusions(means)
    this.#model = model
    this.#layers = layers
  }

  /** True when there is a model that is not known to fail. */
  get canAsk(): boolean {
    return this.#model?.isUp() === true
  }

  /** Reads a session that `holder` holds to its end, or as far as the limits go. `once` adds layers (bits), on or off. */
  async distil(session: number, holder: string, limits: Limits, once = 0): Promise<Distilled> {
    const layers = this.#layers | (once << onceShift)
    const window = await this.#windowOf(limits.signal)
    const maxTokens = ({ readings }: DistilSettings): number =>
      spanTokens(this.#model === undefined && readings !== undefined ? handedWindow : window)
    const reading = await this.#spans.reading(session, { layers, again: this.canAsk, maxTokens, upTo: limits.upTo })
    if (reading === undefined) return 'stale'
    const run = new Run({ reading, holder, layers }, window, limits, this.#failuresOf(reading))
    this.#cutShort.delete(session)
    try {
      return (await this.#chunks(run)) ?? (await this.#finish(run))
    } catch (error) {
      this.#cutShort.set(session, run.failures)
      throw error
    }
  }

  /** Reads the chunks that are due. Undefined once all are read. */
  async #chunks(run: Run): Promise<Distilled | undefined> {
    const { reading, failures } = run
    const last = this.#failedLast.get(reading.session)
    const spans = reading.chunks.flatMap((chunk) => spansOf(run, chunk)).filter((one) => !failures.spans.has(keyOf(one)))
    for (const span of spans.toSorted((one, other) => Number(last?.has(keyOf(one)) ?? 0) - Number(last?.has(keyOf(other)) ?? 0))) {
      if (run.isOver(failures.useless < mostUseless ? this.#model : undefined)) {
        this.#cutShort.set(reading.session, failures)
        return 'more'
      }
      for await (const parts of this.#span(run, span)) if (!(await this.#keep(run, span, parts))) return 'stale'
    }
    return undefined
  }

  /** Stores parts of a span. False when the session changed meanwhile. */
  async #keep(run: Run, span: SpanOf, parts: readonly NewPart[]): Promise<boolean> {
    const { reading, failures } = run
    if (parts.some(({ provisional }) => provisional)) failures.spans.add(keyOf(span))
    this.#countRefused(parts)
    if (!(await this.#means.write.storeParts(this.#state(run), parts))) return false
    if (parts.some(({ standing }) => (standing?.asked.length ?? 0) > 0)) await this.#noteEnds(reading.partition)
    if (parts.some(({ known }) => (known?.facts.length ?? 0) > 0)) await this.#noteStateEnds(reading.partition)
    this.#tellForgets(reading, parts)
    return true
  }

  /** Gives the failed requests of this reading so far. After a forget in the session, all of it is read anew. */
  #failuresOf({ session, epoch }: SessionReading): Failures {
    const known = this.#cutShort.get(session)
    return known?.epoch === epoch
      ? known
      : { epoch, spans: new Set(), tried: new Set(), useless: 0, reason: undefined, notBefore: 0, isTried: false }
  }

  /** Counts statements whose words are not in their message, or are no person's. */
  #countRefused(parts: readonly NewPart[]): void {
    const refused = parts.reduce((sum, part) => sum + statedIn(part).refused, 0)
    if (refused > 0) this.#means.observer.count('factsRefused', refused)
  }

  /** Finds the instructions that the new ones end. */
  async #noteEnds(partition: number): Promise<void> {
    const found = await this.#means.read(newEnds(partition))
    if (found.compared.length > 0) await this.#means.write.noteInstructionEnds(partition, found)
  }

  /** Finds the states that the new statements end in other words. */
  async #noteStateEnds(partition: number): Promise<void> {
    const found = await this.#means.read(stateEndsIn(partition))
    if (found !== undefined && found.compared.length > 0) await this.#means.write.noteStateEnds(found)
  }

  /** Tells that a person asked to forget something. */
  #tellForgets({ projectName: project, owner, name: session }: SessionReading, parts: readonly NewPart[]): void {
    const requests = parts.flatMap(({ known }) => known?.facts ?? []).filter(({ predicate }) => predicate === askedToForget).length
    if (requests === 0) return
    this.#means.observer.emit({ type: 'forget-asked', project, ...(owner === '' ? {} : { user: owner }), session, requests })
  }

  /** Gives the model's window, also while it is down, so that it can later read the same spans again. */
  async #windowOf(signal: AbortSignal): Promise<number | undefined> {
    if (this.#model === undefined) return undefined
    if (this.canAsk) this.#window = await this.#model.window(signal)
    return this.#window
  }

  /**
   * Reads a span in one call for its layers. Layers whose parts cannot be used are asked for once more, all in one call;
   * the good parts are stored before. Then the extractive writer serves. After two spans in a row without a useful part,
   * the rest of the reading waits unasked: such a model gives no better answers to the same session now.
   */
  async *#span(run: Run, read: SpanOf): AsyncGenerator<readonly NewPart[]> {
    const span = this.canAsk ? await this.#spans.withAttributes(read, this.#means.clock.now()) : read
    const asked = this.#model === undefined && !this.#isHanded(run) ? undefined : await this.#spans.ask(span)
    if (asked === undefined || this.#model === undefined)
      return yield await this.#spans.extract(span, { writer: extractive, provisional: asked !== undefined })
    if (run.failures.useless >= mostUseless) return yield await this.#spans.extract(span, run.provisionalUseless())
    const answer = await this.#ask(run, asked, 'distil', span.layers)
    if (answer === undefined) return yield await this.#spans.extract(span, run.provisional(span))
    const { parts, bad } = await this.#spans.parse(span, answer.object, this.#byModel())
    if (parts.length > 0) yield parts
    const repaired = bad.length === 0 ? [] : await this.#again(run, span, bad, parts.length === 0)
    const isUseful = [...parts, ...repaired].some(({ provisional, writer }) => !provisional && writer !== extractive)
    run.failures.useless = isUseful ? 0 : run.failures.useless + 1
    if (repaired.length > 0) yield repaired
  }

  /** Tells whether no model is configured here, and the host's own reads what is due: until then all is provisional. */
  #isHanded({ reading }: Run): boolean {
    return this.#model === undefined && reading.settings.readings !== undefined
  }

  /**
   * Asks for the bad parts of a span once more, in one call. A span of which nothing could be used is not asked again right
   * after another such span.
   */
  async #again(run: Run, span: SpanOf, bad: readonly BadPart[], isUseless: boolean): Promise<readonly NewPart[]> {
    const layers = bad.reduce((bits, { layer }) => bits | layer, 0)
    const maySend = !isUseless || run.failures.useless === 0 || run.limits.isAgain === true
    const asked = maySend ? await this.#spans.ask({ ...span, layers }, bad) : undefined
    const answer = asked === undefined ? undefined : await this.#ask(run, asked, 'distil', layers)
    const parsed = answer === undefined ? undefined : await this.#spans.parse({ ...span, layers }, answer.object, this.#byModel())
    const parts: NewPart[] = [...(parsed?.parts ?? [])]
    for (const { layer, problem } of parsed?.bad ?? bad) {
      const extracted = await this.#spans.extract({ ...span, layers: layer }, run.unusable(problem))
      // When both writers find nothing to say, the part is final.
      parts.push(
        ...extracted.map((part) => (part.sentences.length === 0 && statedIn(part).found === 0 ? { ...part, provisional: false } : part)),
      )
    }
    return parts
  }

  /** Asks the model. Undefined when there is no answer; the run knows why. */
  async #ask(run: Run, asked: SizedPrompt, task: string, layers: number): Promise<ModelAnswer | undefined> {
    if (this.#model === undefined) return undefined
    const { clock } = this.#means
    const about = await askedFor(run.reading, task, layers, clock.now(), run.limits)
    const answer = await answered(this.#model, [asked, about], clock, run.limits.signal)
    if (!('reason' in answer)) return answer
    run.unanswered(answer)
    return undefined
  }

  async #finish(run: Run): Promise<Distilled> {
    const { reading } = run
    const { outlines, provisional } = await this.#fusions.outlines(reading.session, reading.project, reading.wanted, this.canAsk)
    const composed: Composed[] = []
    let again = provisional
    for (const outline of outlines) {
      // Answers were paid for, so they are stored: the limits end a reading between its parts, not here.
      if (run.limits.signal.aborted) return 'more'
      if (run.failures.spans.has(fusionKey(outline))) again |= outline.layer
      else composed.push(await this.#composeOrKeep(run, outline, composed))
    }
    again = composed.reduce((bits, { item, layer }) => (item?.provisional === true ? bits | layer : bits), again)
    const { notBefore, reason, isTried } = run.failures
    const retry = again === 0 || this.#isHanded(run) ? {} : { again: { notBefore, reason, isUntried: !isTried } }
    const finished = { seq: reading.seq, wanted: reading.wanted, provisional: again, composed, ...retry }
    if (!(await this.#means.write.finishReading(this.#state(run), finished))) return 'stale'
    if (again === 0) this.#failedLast.delete(reading.session)
    else this.#failedLast.set(reading.session, run.failures.tried)
    if (again !== 0 && reason !== undefined) run.limits.failed?.(reason)
    this.#means.observer.count('distilled')
    this.#means.observer.emit({
      type: 'distilled',
      project: reading.projectName,
      session: reading.name,
      messages: reading.seq,
      layers: layersIn(reading.wanted),
      provisional: again !== 0,
    })
    return 'done'
  }

  /** Composes an item. When that fails, those before it are kept: their answers are not asked for again. */
  async #composeOrKeep(run: Run, outline: Outline, before: readonly Composed[]): Promise<Composed> {
    try {
      const one = await this.#compose(run, outline)
      if (one.item?.provisional === true) run.failures.spans.add(fusionKey(outline))
      return one
    } catch (error) {
      if (before.length > 0) await this.#means.write.storeComposed(this.#state(run), before)
      throw error
    }
  }

  async #compose(run: Run, outline: Outline): Promise<Composed> {
    const { sentences, writer, provisional } = await this.#fuse(run, outline)
    return this.#fusions.compose(outline, sentences, run.reading.session, { writer, provisional })
  }

  async #fuse(run: Run, outline: Outline): Promise<{ sentences: readonly Sentence[] } & Written> {
    const provisional = outline.parts.some((part) => part.provisional)
    const writers = new Set(outline.parts.map(({ writer }) => writer))
    const writer = writers.size === 1 ? ([...writers][0] ?? extractive) : extractive
    const [only] = outline.parts
    if (outline.parts.length <= 1) return { sentences: only?.sentences ?? [], writer, provisional }
    const mayAsk = this.#model !== undefined && run.failures.useless < mostUseless
    const fused = mayAsk ? await this.#fuseByModel(run, outline) : undefined
    if (fused !== undefined) return { sentences: fused, writer: this.#byModel().writer, provisional }
    return {
      sentences: await this.#fusions.extract(outline, run.reading.session),
      writer: extractive,
      provisional: provisional || this.#isHanded(run) || (this.#model !== undefined && run.mayTryAgain),
    }
  }

  /** Fuses parts by the model. Parts that exceed the window are fused half by half first. */
  async #fuseByModel(run: Run, outline: Outline): Promise<readonly Sentence[] | undefined> {
    const asked = await this.#fusions.ask(outline)
    const { parts } = outline
    if (asked.tokens > spanTokens(run.window) && parts.length > 2) {
      const middle = Math.ceil(parts.length / 2)
      const halves: (readonly Sentence[])[] = []
      for (const half of [parts.slice(0, middle), parts.slice(middle)]) {
        const sentences = await this.#fuseByModel(run, { ...outline, parts: half })
        if (sentences === undefined) return undefined
        halves.push(sentences)
      }
      return this.#fuseByModel(run, {
        ...outline,
        parts: halves.flatMap((sentences, place) => parts.slice(place, place + 1).map((part) => ({ ...part, sentences }))),
      })
    }
    const answer = await this.#ask(run, asked, 'fuse', outline.layer)
    const parsed = answer === undefined ? undefined : await this.#fusions.parse(outline, answer.object)
    if (parsed === undefined || 'sentences' in parsed) return parsed?.sentences
    run.unusable(parsed.problem)
    return undefined
  }

  #byModel(): Written {
    return { writer: this.#model?.name ?? extractive, provisional: false }
  }

  #state({ reading: { session, epoch }, holder, layers }: Run): ReadState {
    return { session, epoch, holder, layers }
  }
}

/**
 * Splits a chunk into spans of one call each. Private layers go together, or one by one where the window is small. A
 * shared layer goes by itself. So does a layer that reads each message once and has read a part before.
 */
function spansOf(run: Run, chunk: Chunk): SpanOf[] {
  const oneByOne = (run.window ?? wholeWindow) < wholeWindow
  const apart = [...(chunk.freshFrom?.keys() ?? [])].reduce((bits, bit) => bits | bit, sharedBits)
  const groups = oneByOne
    ? layersIn(chunk.due).map((layer) => bitOf(layer))
    : [chunk.due & ~apart, ...layersIn(chunk.due & apart).map((layer) => bitOf(layer))]
  return groups.filter((layers) => layers !== 0).map((layers) => ({ ...run.of(chunk), layers }))
}

/** Gives the key of a span, which does not depend on the order of reading. */
function keyOf({ chunk: { from, to }, layers }: SpanOf): string {
  return `${from} ${to} ${layers}`
}

/** Gives the key of a fusion: it is due anew when another part is there. */
function fusionKey({ layer, period, parts }: Outline): string {
  return `${layer} ${period} of ${parts.map(({ id }) => id).join(' ')}`
}

/** Sessions whose reading ended early, by their numbers. */
export class CutShort {
  readonly #failures = growingCache<number, Failures>(mostCutShort)

  get(session: number): Failures | undefined {
    return this.#failures.get(session)
  }

  set(session: number, failures: Failures): void {
    this.#failures.set(session, failures)
  }

  delete(session: number): void {
    this.#failures.delete(session)
  }
}

/** The failures of a reading. */
export interface Failures {
  /** The session's epoch: it changes when a part of it is forgotten. */
  readonly epoch: number
  /** Spans for which no answer of the model can be used. */
  readonly spans: Set<string>
  /** Those of them that were sent and got no answer. */
  readonly tried: Set<string>
  /** Spans in a row of which nothing that the model answered can be used. */
  useless: number
  /** Undefined until a request fails. */
  reason: string | undefined
  /** The time of the next try, by the model's word. */
  notBefore: number
  /** True once a request was sent that failed, or whose answer cannot be used. */
  isTried: boolean
}

/** One reading of a session, or the rest of one. */
class Run {
  readonly reading: SessionReading
  readonly holder: string
  readonly layers: number
  readonly window: number | undefined
  readonly limits: Limits
  readonly failures: Failures
  #begun = 0
  #last: NoAnswer | undefined

  constructor(
    { reading, holder, layers }: { reading: SessionReading; holder: string; layers: number },
    window: number | undefined,
    limits: Limits,
    failures: Failures,
  ) {
    this.reading = reading
    this.holder = holder
    this.layers = layers
    this.window = window
    this.limits = limits
    this.failures = failures
  }

  /** Tells whether the limits are reached. Each run does at least one piece, so that work goes on however short the time is. */
  isOver(model: AskedModel | undefined): boolean {
    this.#begun += 1
    const { until, signal } = this.limits
    return signal.aborted || (this.#begun > 1 && performance.now() >= until) || (model !== undefined && model.made >= this.limits.calls)
  }

  of(chunk: Chunk): Omit<SpanOf, 'layers'> {
    return { session: this.reading.session, name: this.reading.name, chunk, maxTokens: spanTokens(this.window) }
  }

  /** Notes a request without an answer. */
  unanswered(failed: NoAnswer): void {
    this.#last = failed
    this.failures.reason = failed.reason
    this.failures.notBefore = Math.max(this.failures.notBefore, failed.notBefore)
    this.failures.isTried ||= !failed.isUntried
  }

  /** The text of a span without an answer. It waits for a model that is down, and not for ever for one that refuses this span. */
  provisional(span: SpanOf): Written {
    if (this.#last?.isUntried === false) this.failures.tried.add(keyOf(span))
    return { writer: extractive, provisional: this.#last?.isOfRequest !== true || this.mayTryAgain }
  }

  /** True when a model with useless answers may be asked another time. It is not asked for ever. */
  get mayTryAgain(): boolean {
    return this.reading.attempts < mostAttempts
  }

  /** The text of a span that is not asked for, since the answers about those before it could not be used. */
  provisionalUseless(): Written {
    return { writer: extractive, provisional: this.mayTryAgain }
  }

  unusable(problem: Problem): Written {
    this.unanswered({ reason: problem, notBefore: 0, isUntried: false, isOfRequest: true })
    this.limits.unused?.(problem)
    return { writer: extractive, provisional: this.mayTryAgain }
  }
}

/** Gives the tokens of the data in one call. */
export function spanTokens(window: number | undefined): number {
  return window === undefined
    ? extractiveTokens
    : Math.max(leastSpanTokens, Math.floor((window - (window < wholeWindow ? reservedTokens : reservedForAll)) * margin))
}

/** Gives the project, the layers and the ceiling of a call; the ceiling is that of the project's local day. */
export async function askedFor(
  { project, settings }: { project: number; settings: DistilSettings },
  task: string,
  layers: number,
  now: number,
  { run }: Pick<Limits, 'run'>,
): Promise<AskedFor> {
  const { from, to } = await dayAround(now, settings.timeZone)
  return { project, task, layers, run, dayEnds: to, ceiling: { ...settings.ceiling, since: from } }
}

import type { PlacedSession } from '../storage/derived/parts.ts'
import { growingCache } from '../caches/growing-cache.ts'
import type { ModelAnswer } from '../models/language-model.ts'
import { askedToForget, extractive, type Sentence } from '../models/writer.ts'
import type { Composed, ReadState } from '../storage/derived/distilled.ts'
import { bitOf, layersIn, onceShift, sharedBits } from '../storage/layers.ts'
import { type NewPart, statedIn } from '../storage/derived/part-stores.ts'
import type { Outline } from './compose.ts'
import { Fusions } from './fusions.ts'
import type { WritingMeans } from './writing-means.ts'
import { askUnlessDown } from './ask-unless-down.ts'
import { type SizedPrompt, type AskedModel, handedWindow } from './asked-model.ts'
import type { Chunk, Written } from '../tasks/parts/read-span.ts'
import { askedFor, type Limits } from './limits.ts'
import { CutShort, type Failures, mostCutShort, ReadingRun } from './reading-run.ts'
import { type BadPart, spanKey, type SpanOf } from './span-of.ts'
import { spanTokens, wholeWindow } from './span-tokens.ts'
import { newEnds } from './instruction-ends.ts'
import { stateEndsIn } from './state-ends.ts'
import { Spans } from './spans.ts'
import type { SessionReading } from './session-reading.ts'
import type { DistilSettings } from './settings.ts'

/** After so many spans in a row of which nothing can be used, a model is not asked about the rest of the session. */
const mostUseless = 2

/**
 * The result of a reading: `done`; `more` when the limits came first, with the parts so far kept; `stale` when the
 * session changed meanwhile.
 */
export type Distilled = 'done' | 'more' | 'stale'

/** The assumed window of a model that was down from the start. */
const leastWindow = 8_192

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
  async distil({ partition, session }: PlacedSession, holder: string, limits: Limits, once = 0): Promise<Distilled> {
    const layers = this.#layers | (once << onceShift)
    const window = await this.#windowOf(limits.signal)
    const maxTokens = ({ readings }: DistilSettings): number =>
      spanTokens(this.#model === undefined && readings !== undefined ? handedWindow : window)
    const reading = await this.#spans.reading({ partition, session }, { layers, again: this.canAsk, maxTokens, upTo: limits.upTo })
    if (reading === undefined) return 'stale'
    const run = new ReadingRun({ reading, holder, layers }, window, limits, this.#failuresOf(reading))
    this.#cutShort.delete(session)
    try {
      return (await this.#chunks(run)) ?? (await this.#finish(run))
    } catch (error) {
      this.#cutShort.set(session, run.failures)
      throw error
    }
  }

  /** Reads the chunks that are due. Undefined once all are read. */
  async #chunks(run: ReadingRun): Promise<Distilled | undefined> {
    const { reading, failures } = run
    const last = this.#failedLast.get(reading.session)
    const spans = reading.chunks.flatMap((chunk) => spansOf(run, chunk)).filter((one) => !failures.spans.has(spanKey(one)))
    for (const span of spans.toSorted((one, other) => Number(last?.has(spanKey(one)) ?? 0) - Number(last?.has(spanKey(other)) ?? 0))) {
      if (run.isOver(failures.useless < mostUseless ? this.#model : undefined)) {
        this.#cutShort.set(reading.session, failures)
        return 'more'
      }
      for await (const parts of this.#span(run, span)) if (!(await this.#keep(run, span, parts))) return 'stale'
    }
    return undefined
  }

  /** Stores parts of a span. False when the session changed meanwhile. */
  async #keep(run: ReadingRun, span: SpanOf, parts: readonly NewPart[]): Promise<boolean> {
    const { reading, failures } = run
    if (parts.some(({ provisional }) => provisional)) failures.spans.add(spanKey(span))
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
  async *#span(run: ReadingRun, read: SpanOf): AsyncGenerator<readonly NewPart[]> {
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
  #isHanded({ reading }: ReadingRun): boolean {
    return this.#model === undefined && reading.settings.readings !== undefined
  }

  /**
   * Asks for the bad parts of a span once more, in one call. A span of which nothing could be used is not asked again right
   * after another such span.
   */
  async #again(run: ReadingRun, span: SpanOf, bad: readonly BadPart[], isUseless: boolean): Promise<readonly NewPart[]> {
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
  async #ask(run: ReadingRun, asked: SizedPrompt, task: string, layers: number): Promise<ModelAnswer | undefined> {
    if (this.#model === undefined) return undefined
    const { clock } = this.#means
    const about = await askedFor(run.reading, task, layers, clock.now(), run.limits)
    const answer = await askUnlessDown(this.#model, [asked, about], clock, run.limits.signal)
    if (!('reason' in answer)) return answer
    run.unanswered(answer)
    return undefined
  }

  async #finish(run: ReadingRun): Promise<Distilled> {
    const { reading } = run
    const { outlines, provisional } = await this.#fusions.outlines(reading, reading.project, reading.wanted, this.canAsk)
    const composed: Composed[] = []
    let again = provisional
    for (const outline of outlines) {
      // Answers were paid for, so they are stored: the limits end a reading between its parts, not here.
      if (run.limits.signal.aborted) return 'more'
      if (run.failures.spans.has(fusionKey(outline)) || run.waits(outline, this.#means.clock.now())) again |= outline.layer
      else composed.push(await this.#composeOrKeep(run, outline, composed))
    }
    again = composed.reduce((bits, { item, layer }) => (item?.provisional === true ? bits | layer : bits), again)
    const retry = again === 0 || this.#isHanded(run) ? {} : { again: run.again }
    const finished = { seq: reading.seq, wanted: reading.wanted, provisional: again, composed, ...retry }
    if (!(await this.#means.write.finishReading(this.#state(run), finished))) return 'stale'
    if (again === 0) this.#failedLast.delete(reading.session)
    else this.#failedLast.set(reading.session, run.failures.tried)
    const { reason } = run.failures
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
  async #composeOrKeep(run: ReadingRun, outline: Outline, before: readonly Composed[]): Promise<Composed> {
    try {
      const one = await this.#compose(run, outline)
      if (one.item?.provisional === true) run.failures.spans.add(fusionKey(outline))
      return one
    } catch (error) {
      if (before.length > 0) await this.#means.write.storeComposed(this.#state(run), before)
      throw error
    }
  }

  async #compose(run: ReadingRun, outline: Outline): Promise<Composed> {
    const { sentences, writer, provisional } = await this.#fuse(run, outline)
    return this.#fusions.compose(outline, sentences, { writer, provisional })
  }

  async #fuse(run: ReadingRun, outline: Outline): Promise<{ sentences: readonly Sentence[] } & Written> {
    const provisional = outline.parts.some((part) => part.provisional)
    const writers = new Set(outline.parts.map(({ writer }) => writer))
    const writer = writers.size === 1 ? ([...writers][0] ?? extractive) : extractive
    const [only] = outline.parts
    if (outline.parts.length <= 1) return { sentences: only?.sentences ?? [], writer, provisional }
    const mayAsk = this.#model !== undefined && run.failures.useless < mostUseless
    const fused = mayAsk ? await this.#fuseByModel(run, goingOn(outline)) : undefined
    if (fused !== undefined) return { sentences: fused, writer: this.#byModel().writer, provisional }
    return {
      sentences: await this.#fusions.extract(outline),
      writer: extractive,
      provisional: provisional || this.#isHanded(run) || (this.#model !== undefined && run.mayTryAgain),
    }
  }

  /** Fuses parts by the model. Parts that exceed the window are fused half by half first. */
  async #fuseByModel(run: ReadingRun, outline: Outline): Promise<readonly Sentence[] | undefined> {
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

  #state({ reading: { partition, session, epoch }, holder, layers }: ReadingRun): ReadState {
    return { partition, session, epoch, holder, layers }
  }
}

/**
 * Splits a chunk into spans of one call each. Private layers go together, or one by one where the window is small. A
 * shared layer goes by itself.
 */
function spansOf(run: ReadingRun, chunk: Chunk): SpanOf[] {
  const apart = (run.window ?? wholeWindow) < wholeWindow ? chunk.due : chunk.due & sharedBits
  const groups = [chunk.due & ~apart, ...layersIn(apart).map((layer) => bitOf(layer))]
  return groups.filter((layers) => layers !== 0).map((layers) => ({ ...run.of(chunk), layers }))
}

/** Gives an outline of the standing item and the newer parts: so a long session costs no more than a short one. */
function goingOn(outline: Outline): Outline {
  const { before, parts } = outline
  const [first] = parts
  return before === undefined || first === undefined
    ? outline
    : { ...outline, parts: [{ ...first, sentences: before.sentences }, ...before.newer] }
}

/** Gives the key of a fusion: it is due anew when another part is there. */
function fusionKey({ layer, period, parts }: Outline): string {
  return `${layer} ${period} of ${parts.map(({ id }) => id).join(' ')}`
}

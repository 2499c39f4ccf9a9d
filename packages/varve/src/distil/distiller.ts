import { dayAround } from '../bank/day.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import type { ModelAnswer } from '../models/language-model.ts'
import { extractive, type Sentence } from '../models/writer.ts'
import type { Composed, ReadState } from '../storage/derived/distilled.ts'
import { bitOf, layersIn, onceShift, sharedBits } from '../storage/layers.ts'
import { type NewPart, statedIn } from '../storage/derived/part-stores.ts'
import type { Outline } from './compose.ts'
import { Fusions } from './fusions.ts'
import type { LayerGround } from './layer-ground.ts'
import type { SizedPrompt, AskedFor, AskedModel } from './asked-model.ts'
import type { Chunk, Written } from '../tasks/parts/read-span.ts'
import type { SpanOf } from './span-of.ts'
import { Spans } from './spans.ts'
import type { Problem } from '../tasks/problem.ts'
import type { SessionReading } from './session-reading.ts'
import type { DistilSettings } from './settings.ts'

/** How often a model is asked anew whose answers could not be used; after that the extractive writer's words stay. */
export const mostAttempts = 6

/** What bounds a run: nothing new is begun after it. */
export interface Limits {
  /** Milliseconds of performance.now(). */
  readonly until: number
  /** Requests to a model that may still be made. */
  readonly calls: number
  readonly signal: AbortSignal
}

/** What became of a session: `done`, `more` when the limits came first (what was read stands), `stale` when it was changed meanwhile. */
export type Distilled = 'done' | 'more' | 'stale'

/** Tokens of a span that is read without a model: as long as forty messages usually are, several times. */
const extractiveTokens = 32_000

/**
 * Of a model's window: what the instructions and the answer take for one layer, and for all that are asked for
 * together, and how far an estimate may be off.
 */
const reservedTokens = 3_000
const reservedForAll = 5_200
const margin = 0.8
const leastSpanTokens = 500

/** What is taken for the window of a model that was down ever since. */
const leastWindow = 8_192

/** Under this window a call is for one layer. */
const wholeWindow = 16_384

/** Reads sessions and writes what is derived from them. */
export class Distiller {
  readonly #ground: LayerGround
  readonly #spans: Spans
  readonly #fusions: Fusions
  readonly #model: AskedModel | undefined
  readonly #layers: number
  /** A careful guess until the model told. */
  #window = leastWindow
  /**
   * Sessions that the limits cut short, with what a model was asked of them in vain: it is not asked again before the
   * reading is through.
   */
  readonly #cutShort = new Map<number, Failures>()

  constructor(ground: LayerGround, model: AskedModel | undefined, layers: number) {
    this.#ground = ground
    this.#spans = new Spans(ground)
    this.#fusions = new Fusions(ground)
    this.#model = model
    this.#layers = layers
  }

  /** Whether there is a model, and it is not known to fail. */
  get canAsk(): boolean {
    return this.#model?.isUp() === true
  }

  /** Reads a session that `holder` holds to its end, or as far as the limits go; for some layers (bits) whether they are on or not. */
  async distil(session: number, holder: string, limits: Limits, once = 0): Promise<Distilled> {
    const layers = this.#layers | (once << onceShift)
    const window = await this.#windowOf(limits.signal)
    const reading = await this.#spans.reading(session, { layers, again: this.canAsk, maxTokens: spanTokens(window) })
    if (reading === undefined) return 'stale'
    const run = new Run({ reading, holder, layers }, window, limits, this.#failuresOf(reading))
    this.#cutShort.delete(session)
    for (const span of reading.chunks.flatMap((chunk) => spansOf(run, chunk)).filter((one) => !run.failures.spans.has(keyOf(one)))) {
      if (run.isOver(this.#model)) {
        this.#cutShort.set(session, run.failures)
        return 'more'
      }
      const parts = await this.#span(run, span)
      if (parts.some(({ provisional }) => provisional)) run.failures.spans.add(keyOf(span))
      this.#countRefused(parts)
      if (!(await this.#ground.write.storeParts(this.#state(run), parts))) return 'stale'
    }
    return this.#finish(run)
  }

  /** What was asked in vain in this reading so far; of what was forgotten from meanwhile all is read anew. */
  #failuresOf({ session, epoch }: SessionReading): Failures {
    const known = this.#cutShort.get(session)
    return known?.epoch === epoch ? known : { epoch, spans: new Set(), reason: 'it was not asked', notBefore: 0 }
  }

  /** Statements whose words are not in their message, or are nobody's own. */
  #countRefused(parts: readonly NewPart[]): void {
    const refused = parts.reduce((sum, part) => sum + statedIn(part).refused, 0)
    if (refused > 0) this.#ground.observer.count('factsRefused', refused)
  }

  /** Of a model that is down too, so that what is read without it can be read again by it. */
  async #windowOf(signal: AbortSignal): Promise<number | undefined> {
    if (this.#model === undefined) return undefined
    if (this.canAsk) this.#window = await this.#model.window(signal)
    return this.#window
  }

  /**
   * One call for the layers; what of its answer cannot be used is asked for once more, each by itself; then the
   * extractive writer serves.
   */
  async #span(run: Run, span: SpanOf): Promise<readonly NewPart[]> {
    const asked = this.#model === undefined ? undefined : await this.#spans.ask(span)
    if (asked === undefined) return this.#spans.extract(span, { writer: extractive, provisional: false })
    const answer = await this.#ask(run, asked, 'distil', span.layers)
    if (answer === undefined) return this.#spans.extract(span, run.provisional())
    const { parts, bad } = await this.#spans.parse(span, answer.object, this.#byModel())
    const repaired: NewPart[] = []
    for (const { layer, problem } of bad) repaired.push(...(await this.#again(run, { ...span, layers: layer }, problem)))
    return [...parts, ...repaired]
  }

  async #again(run: Run, span: SpanOf, problem: Problem): Promise<readonly NewPart[]> {
    const asked = await this.#spans.ask(span, problem)
    const answer = asked === undefined ? undefined : await this.#ask(run, asked, 'distil', span.layers)
    const parsed = answer === undefined ? undefined : await this.#spans.parse(span, answer.object, this.#byModel())
    if (parsed !== undefined && parsed.bad.length === 0) return parsed.parts
    const parts = await this.#spans.extract(span, run.unusable(parsed?.bad[0]?.problem ?? problem))
    // Where both find nothing to say, there is nothing to say.
    return parts.map((part) => (part.sentences.length === 0 && statedIn(part).facts === 0 ? { ...part, provisional: false } : part))
  }

  /** Undefined when there is no answer: the model fails, or may not be asked any more today. */
  async #ask(run: Run, asked: SizedPrompt, task: string, layers: number): Promise<ModelAnswer | undefined> {
    if (this.#model === undefined) return undefined
    if (!this.#model.isUp()) {
      run.failed('the model failed a moment ago', this.#model.notBefore)
      return undefined
    }
    try {
      return await this.#model.ask(asked, await askedFor(run.reading, task, layers, this.#ground.clock.now()), run.limits.signal)
    } catch (error) {
      if (!(error instanceof ModelFailed)) throw error
      run.failed(error.reason, this.#ground.clock.now() + (error.retryAfterMs ?? 0))
      return undefined
    }
  }

  async #finish(run: Run): Promise<Distilled> {
    const { reading } = run
    const { outlines, provisional } = await this.#fusions.outlines(reading.session, reading.project, reading.wanted, this.canAsk)
    const composed: Composed[] = []
    let again = provisional
    for (const outline of outlines) {
      // What was paid for is stored: the limits end a reading between its parts, not here.
      if (run.limits.signal.aborted) return 'more'
      const one = await this.#compose(run, outline)
      composed.push(one)
      if (one.item?.provisional === true) again |= outline.layer
    }
    const { notBefore, reason } = run.failures
    const retry = again === 0 ? {} : { again: { notBefore, reason } }
    const finished = { seq: reading.seq, wanted: reading.wanted, provisional: again, composed, ...retry }
    if (!(await this.#ground.write.finishReading(this.#state(run), finished))) return 'stale'
    this.#ground.observer.count('distilled')
    this.#ground.observer.emit({
      type: 'distilled',
      project: reading.projectName,
      session: reading.name,
      messages: reading.seq,
      layers: layersIn(reading.wanted),
      provisional: again !== 0,
    })
    return 'done'
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
    const fused = this.#model === undefined ? undefined : await this.#fuseByModel(run, outline)
    if (fused !== undefined) return { sentences: fused, writer: this.#byModel().writer, provisional }
    return {
      sentences: await this.#fusions.extract(outline, run.reading.session),
      writer: extractive,
      provisional: provisional || (this.#model !== undefined && run.mayTryAgain),
    }
  }

  /** What does not fit the window is fused half by half first. */
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
 * What is asked about a chunk in one call each: private layers together, or one by one where the window is small;
 * what is shared by itself, and so a layer that reads each message once and of which a part was read before.
 */
function spansOf(run: Run, chunk: Chunk): SpanOf[] {
  const oneByOne = (run.window ?? wholeWindow) < wholeWindow
  const apart = [...(chunk.freshFrom?.keys() ?? [])].reduce((bits, bit) => bits | bit, sharedBits)
  const groups = oneByOne
    ? layersIn(chunk.due).map((layer) => bitOf(layer))
    : [chunk.due & ~apart, ...layersIn(chunk.due & apart).map((layer) => bitOf(layer))]
  return groups.filter((layers) => layers !== 0).map((layers) => ({ ...run.of(chunk), layers }))
}

/** A span, in whatever order a session is read. */
function keyOf({ chunk: { from, to }, layers }: SpanOf): string {
  return `${from} ${to} ${layers}`
}

/** What went wrong in a reading. */
interface Failures {
  /** The session's: it changes when something of it is forgotten. */
  readonly epoch: number
  /** Spans that no model's answer serves for. */
  readonly spans: Set<string>
  reason: string
  /** When another try makes sense, by the model's word. */
  notBefore: number
}

/** One reading of a session, or what is left of it. */
class Run {
  readonly reading: SessionReading
  readonly holder: string
  readonly layers: number
  readonly window: number | undefined
  readonly limits: Limits
  readonly failures: Failures
  #begun = 0

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

  /** At least one piece is done in each run, so that it goes on however short the time is. */
  isOver(model: AskedModel | undefined): boolean {
    this.#begun += 1
    const { until, signal } = this.limits
    return signal.aborted || (this.#begun > 1 && performance.now() >= until) || (model !== undefined && model.made >= this.limits.calls)
  }

  of(chunk: Chunk): Omit<SpanOf, 'layers'> {
    return { session: this.reading.session, name: this.reading.name, chunk, maxTokens: spanTokens(this.window) }
  }

  failed(reason: string, notBefore: number): void {
    this.failures.reason = reason
    this.failures.notBefore = Math.max(this.failures.notBefore, notBefore)
  }

  provisional(): Written {
    return { writer: extractive, provisional: true }
  }

  /** Whether a model whose answers cannot be used is asked once more another time: it is not asked for ever. */
  get mayTryAgain(): boolean {
    return this.reading.attempts < mostAttempts
  }

  unusable(problem: Problem): Written {
    this.failed(problem, 0)
    return { writer: extractive, provisional: this.mayTryAgain }
  }
}

/** Tokens of the data in one call. */
export function spanTokens(window: number | undefined): number {
  return window === undefined
    ? extractiveTokens
    : Math.max(leastSpanTokens, Math.floor((window - (window < wholeWindow ? reservedTokens : reservedForAll)) * margin))
}

/** For whom a call is made, under the ceiling of the project's local day. */
export async function askedFor(
  { project, settings }: { project: number; settings: DistilSettings },
  task: string,
  layers: number,
  now: number,
): Promise<AskedFor> {
  const { from, to } = await dayAround(now, settings.timeZone)
  return { project, task, layers, dayEnds: to, ceiling: { ...settings.ceiling, since: from } }
}

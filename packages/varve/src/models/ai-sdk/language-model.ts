import { Cancelled } from '../../errors/cancelled.ts'
import type { LanguageModel, ModelAnswer, ModelRequest } from '../language-model.ts'
import { type AskedLanguageModel, LanguageCall } from './language-call.ts'
import { fullManner, type Manner, milderOf } from './language-manner.ts'
import { type AiSdkLanguageModel, checkedLanguageModel } from './language-model-shape.ts'
import { type AiSdkLanguageOptions, checkedLanguageOptions } from './language-options.ts'
import { withDeadline } from './with-deadline.ts'

/** The smallest default window of models served today, apart from Ollama, which tells its own. A span cut for it fits everywhere. */
export const defaultWindow = 8192

/** The time for asking a server for its window: local ones answer in a few ms. */
const probeDeadlineMs = 2000

/** Asks the server for its window: undefined when it does not tell; rejects when nobody answers. */
type ProbeWindow = () => Promise<number | undefined>

/**
 * Makes a language model from any of the AI SDK. It uses structured output where the provider takes it, and else puts
 * the schema into the prompt.
 *
 * A part that a model refuses is not sent to it again. Passing failures are tried again twice, within the request's
 * deadline.
 *
 * @example aiSdkLanguageModel(createOpenAICompatible({ name: 'ollama', baseURL: 'http://localhost:11434/v1'
 * })('qwen3'))
 * @throws InvalidConfiguration for anything but such a model, even a string that names one; InvalidOption for a bad
 * option.
 */
export function aiSdkLanguageModel(model: AiSdkLanguageModel, options: AiSdkLanguageOptions = {}): LanguageModel {
  const object = checkedLanguageModel(model)
  return new AiSdkWriter(
    { name: `${object.provider}:${object.modelId}`, model: async () => object, options: checkedLanguageOptions(options) },
    async () => undefined,
  )
}

/** The same for a model that is made when it is first needed, and whose server can be asked for its window. */
export class AiSdkWriter implements LanguageModel {
  readonly name: string
  readonly #asked: AskedLanguageModel
  readonly #probe: ProbeWindow
  #probing: Promise<number> | undefined
  #manner: Manner

  constructor(asked: AskedLanguageModel, probe: ProbeWindow) {
    this.name = asked.name
    this.#asked = asked
    this.#probe = probe
    this.#manner = asked.manner ?? fullManner
  }

  /** Rejects for the caller's signal only. A window that the server told is kept. When nobody answered, the next call asks again. */
  async window(signal: AbortSignal): Promise<number> {
    const { window } = this.#asked.options
    if (window !== undefined) return window
    if (signal.aborted) throw new Cancelled({ operation: 'window' }, { cause: signal.reason })
    this.#probing ??= this.#probe().then((told) => told ?? defaultWindow)
    const probing = this.#probing
    try {
      return await withDeadline({ model: this.name, operation: 'window', deadlineMs: probeDeadlineMs, signal }, () => probing)
    } catch (error) {
      if (error instanceof Cancelled) throw error
      if (this.#probing === probing) this.#probing = undefined
      return defaultWindow
    }
  }

  async ask(request: ModelRequest): Promise<ModelAnswer> {
    const { signal } = request
    if (signal.aborted) throw new Cancelled({ operation: 'ask' }, { cause: signal.reason })
    const call = new LanguageCall(this.#asked, request, this.#manner, () => this.window(signal))
    const answer = await call.answer().catch((error: unknown) => {
      throw signal.aborted ? new Cancelled({ operation: 'ask' }, { cause: signal.reason }) : error
    })
    // Kept only after an answer: a server that returns the request in its error seems to refuse each part of it.
    this.#manner = milderOf(this.#manner, call.manner)
    return answer
  }
}

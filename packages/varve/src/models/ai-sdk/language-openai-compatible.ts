import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import type { LanguageModel } from '../language-model.ts'
import { bounded } from './language-body.ts'
import { fullManner } from './language-manner.ts'
import { AiSdkWriter, defaultWindow } from './language-model.ts'
import type { AiSdkLanguageModel, TalkingModel } from './language-model-shape.ts'
import { type AiSdkLanguageOptions, checkedLanguageOptions } from './language-options.ts'
import { knownWindow } from './known-windows.ts'
import { probeServer, rootOf } from './language-window.ts'
import { ollamaChat } from './ollama-chat.ts'

/** The most bytes of a body. An answer's text is read up to 256 KiB; its envelope may escape it, and hold the model's reasoning too. */
const maxBodyBytes = 2_097_152

export interface OpenAiCompatibleOptions extends AiSdkLanguageOptions {
  /** The address above chat/completions, with its /v1. */
  readonly url: string
  /** The model's name on that server. */
  readonly model: string
  readonly key?: string | undefined
}

/**
 * Makes a model behind the OpenAI wire format: Ollama, llama.cpp, vLLM, LM Studio, or a provider. Nothing is loaded or
 * sent before the first use.
 *
 * @example openAiCompatible({ url: 'http://localhost:11434/v1', model: 'qwen3' })
 * @throws InvalidConfiguration for a malformed address, name or key; InvalidOption for a bad option.
 */
export function openAiCompatible({ url, model, key, ...options }: OpenAiCompatibleOptions): LanguageModel {
  const address = checkedUrl(url)
  const name = checkedModel(model)
  const checkedKey = keyOf(key)
  const checkedOptions = checkedLanguageOptions(options)
  // OpenAI tells nothing, and its models are known. Its newer ones refuse `max_tokens`; elsewhere a refusal tells.
  const isOpenAi = address.hostname === 'api.openai.com'
  const told = onceAnswered(async () => (isOpenAi ? undefined : probeServer({ url: address.href, model: name, key: checkedKey })))
  const compatible = onceAnswered(() => makeModel(address, name, checkedKey))
  const load = async (): Promise<AiSdkLanguageModel> => {
    // A server that is down fails its request as well, and tells later.
    const [asked] = await Promise.allSettled([told()])
    const { window, ollama } = asked.status === 'fulfilled' ? (asked.value ?? {}) : {}
    if (ollama === undefined) return compatible()
    const size = checkedOptions.window ?? window ?? defaultWindow
    return ollamaChat({ root: rootOf(address.href), model: name, key: checkedKey, window: size, ...ollama, fetch: boundedFetch })
  }
  const manner = { ...fullManner, namesCompletion: isOpenAi, isStreamed: true }
  return new AiSdkWriter(
    { name: `openai-compatible:${name}`, model: load, manner, options: checkedOptions },
    async () => (await told())?.window ?? knownWindow(name),
  )
}

/** Makes the same model for a talk with a person, whose answers come in pieces. The errors are those of `openAiCompatible`. */
export function openAiCompatibleTalker({ url, model, key }: Pick<OpenAiCompatibleOptions, 'url' | 'model' | 'key'>): Promise<TalkingModel> {
  return makeModel(checkedUrl(url), checkedModel(model), keyOf(key))
}

/** Asks once and keeps the answer. After a failure the next call asks again. */
function onceAnswered<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined
  return () =>
    (asked ??= ask().catch((error: unknown) => {
      asked = undefined
      throw error
    }))
}

function keyOf(key: string | undefined): string | undefined {
  return key === undefined || key.trim() === '' ? undefined : checked(key.trim())
}

async function makeModel(address: URL, model: string, key: string | undefined): Promise<TalkingModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: address.href,
    supportsStructuredOutputs: true,
    includeUsage: true,
    fetch: boundedFetch,
    ...(key === undefined ? {} : { apiKey: key }),
  })
  return provider(model)
}

/** The AI SDK reads and parses a body of up to 2 GiB, on the host's event loop. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.body === null) return response
  const { status, statusText, headers } = response
  return new Response(bounded(response.body, maxBodyBytes), { status, statusText, headers })
}

function checkedUrl(received: string): URL {
  const url = URL.parse(received)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalid('VARVE_MODEL_URL', 'must be an address such as http://localhost:11434/v1')
  if (url.username !== '' || url.password !== '')
    throw invalid('VARVE_MODEL_URL', 'must not hold a user or a password: a key goes into VARVE_MODEL_KEY')
  if (url.search !== '' || url.hash !== '') throw invalid('VARVE_MODEL_URL', 'must end with its path: what follows a ? or # is not sent')
  return url
}

function checkedModel(received: string): string {
  const name = received.trim()
  if (name === '') throw invalid('VARVE_MODEL', 'must be the name of a model on that server')
  return name
}

/** Checks a key. In its error, fetch prints a key that cannot stand in a header, so such a key is refused before. */
function checked(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) throw invalid('VARVE_MODEL_KEY', 'must be printable ASCII without blanks')
  return key
}

function invalid(setting: string, reason: string): InvalidConfiguration {
  return new InvalidConfiguration({ setting, reason })
}

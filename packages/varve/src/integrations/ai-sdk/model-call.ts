import { fieldOf } from '../../turns/outside-json.ts'

/** A message of a call's prompt, as far as it is read here: the same in the specifications v2, v3 and v4 of the AI SDK. */
export interface PromptMessage {
  readonly role: string
  readonly content: string | readonly object[]
  readonly providerOptions?: object | undefined
}

/** The options of a call that are read here. */
export interface ModelCall {
  readonly prompt: readonly PromptMessage[]
  readonly providerOptions?: object | undefined
  readonly abortSignal?: AbortSignal | undefined
}

/** An answer that comes whole. */
export interface WholeAnswer {
  readonly content: readonly object[]
}

/** An answer that comes in pieces. */
export interface StreamedAnswer {
  readonly stream: ReadableStream
}

/** A language model of the AI SDK 5, 6 or 7. Declared here, since the published package does not depend on the AI SDK. */
export interface WrappableModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<WholeAnswer>
  doStream(options: never): PromiseLike<StreamedAnswer>
}

/** The same as it is called. */
export interface CalledModel extends Pick<WrappableModel, 'specificationVersion' | 'provider' | 'modelId'> {
  readonly supportedUrls?: unknown
  doGenerate(options: ModelCall): PromiseLike<WholeAnswer>
  doStream(options: ModelCall): PromiseLike<StreamedAnswer>
}

/** The field of `providerOptions` that is Varve's. */
const ownOptions = 'varve'

/** Gives `providerOptions.varve` of a call. */
export function ownOptionsOf({ providerOptions }: ModelCall): unknown {
  return fieldOf(providerOptions, ownOptions)
}

/** Makes a call's options for the provider: another prompt, and no names of Varve's. */
export function withPrompt<Call extends ModelCall>(call: Call, prompt: readonly PromptMessage[]): Call {
  const { [ownOptions]: _, ...others }: Readonly<Record<string, unknown>> = { ...call.providerOptions }
  const options = ownOptionsOf(call) === undefined ? {} : { providerOptions: others }
  return Object.assign({}, call, { prompt }, options)
}

import type { Provider } from './proxy-options.ts'
import type { Utterance } from '../../turns/said.ts'

/** Learns from a reply, whole or event by event, what the assistant said. */
export interface ReplyReader {
  /** Takes the data of one event of a stream. */
  event(data: unknown): void
  /** Takes a reply that comes as one JSON object. */
  whole(body: unknown): void
  /** The provider's own id of the reply, where a later request names it. */
  readonly id?: string | undefined
  /** True while the provider still makes the reply. */
  readonly isUnderWay?: boolean
  said(): Utterance
}

/** One of the formats that the proxy speaks. */
export interface WireApi {
  readonly name: 'chat-completions' | 'responses' | 'messages'
  readonly provider: Provider
  /** The path behind `/v1`. */
  readonly path: string
  /** The field of a request that lists its messages. */
  readonly list: 'messages' | 'input'
  /** The type of a part that holds text, in a user's message. */
  readonly textType: 'text' | 'input_text'
  /** Reads an element of the list. Instructions to the model give nothing. */
  saidIn(element: unknown): readonly Utterance[]
  /** The name of the conversation, where the format has a field for one. */
  sessionIn(body: unknown): string | undefined
  /** What the provider keeps of the conversation itself: the id of its last reply, or true. */
  keptByProvider(body: unknown): string | boolean
  reply(): ReplyReader
  /** An error in the format's own shape. */
  error(status: number, code: string, message: string): object
}

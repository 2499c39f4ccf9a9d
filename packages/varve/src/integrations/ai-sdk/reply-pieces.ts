import { fieldOf, textField } from '../../turns/outside-json.ts'
import { argumentsOf, ReplyDraft } from '../../turns/reply-draft.ts'
import type { Utterance } from '../../turns/said.ts'
import { isOfOwnTool, saidInPart } from './said-in-prompt.ts'

/** Collects what the assistant says: the pieces of a stream, or the content of an answer that comes whole. */
export class ReplyPieces {
  /** True when the provider told of an error, or the answer did not come to its end. */
  hasFailed = false
  #draft = new ReplyDraft()
  /** Some providers give each text of an answer the same id. */
  readonly #textPlaces = new Map<string, string>()
  #parts = 0

  piece(piece: unknown): void {
    const type = textField(piece, 'type')
    const id = textField(piece, 'id') ?? ''
    if (type === 'text-delta') this.#draft.text(this.#textPlaces.get(id) ?? `text ${id}`, fieldOf(piece, 'delta'))
    else if (type === 'text-start') this.#textPlaces.set(id, `text ${id} ${(this.#parts += 1)}`)
    else if (type === 'error') this.hasFailed = true
    else this.#part(piece)
  }

  whole(answer: { readonly content: readonly object[]; readonly structuredOutputText?: unknown }): void {
    for (const part of answer.content) this.#part(part)
    // A provider that gives an object beside the words.
    if (this.said().parts.every(({ type }) => type !== 'text')) this.#draft.text('object', answer.structuredOutputText)
  }

  said(): Utterance {
    const { role, parts } = this.#draft.said()
    return { role, parts: parts.filter((part) => !isOfOwnTool(part) && (part.type !== 'text' || part.text !== '')) }
  }

  /** Gives what was said since it was taken last. */
  taken(): Utterance {
    const said = this.said()
    this.#draft = new ReplyDraft()
    return said
  }

  #part(part: unknown): void {
    this.#parts += 1
    for (const said of saidInPart(part)) {
      const place = `part ${this.#parts}`
      if (said.type === 'text') this.#draft.text(place, said.text)
      else this.#draft.whole(place, said.type === 'tool-call' ? { ...said, input: inputOf(said.input) } : said)
    }
  }
}

/** The input of a call comes as JSON from a provider. */
function inputOf(input: unknown): unknown {
  return typeof input === 'string' ? argumentsOf(input) : input
}

import type { SourceMessage } from '../models/writer.ts'
import { attributeFor, stemsOf, tellingStems } from './known-attributes.ts'

/** An attribute as it may be stored, and the other messages whose words it has. */
export interface NamedAttribute {
  readonly predicate: string
  readonly also: readonly number[]
}

/** Names the attributes of one answer, by the messages that it was read from and the attributes that its model was shown. */
export class AttributeNames {
  readonly #messages: readonly SourceMessage[]
  readonly #attributes: readonly string[]
  readonly #stems = new Map<number, ReadonlySet<string>>()

  constructor(messages: readonly SourceMessage[], attributes: readonly string[]) {
    this.#messages = messages
    this.#attributes = attributes
  }

  /**
   * Names an attribute. A shown one that means the same is taken where its words are the message's own. Words that an
   * earlier message of the span said rest on that message, so that they are forgotten with it. Undefined for words that
   * only a shown attribute has: its message may be forgotten, and no statement may keep them.
   */
  of(predicate: string, message: SourceMessage): NamedAttribute | undefined {
    const known = attributeFor(predicate, this.#attributes)
    if (known !== undefined && this.#lacks(message, known).length === 0) return { predicate: known, also: [] }
    const missing = this.#lacks(message, predicate)
    if (missing.length === 0) return { predicate, also: [] }
    const namedBy = this.#messages
      .filter((one) => one.seq < message.seq && one.origin === 'person' && one.role === 'user')
      .findLast((one) => missing.every((word) => this.#stemsOf(one).has(word)))
    if (namedBy !== undefined) return { predicate, also: [namedBy.seq] }
    const shown = new Set(this.#attributes.flatMap(stemsOf))
    return missing.some((word) => shown.has(word)) ? undefined : { predicate, also: [] }
  }

  /** Lists the telling words of a predicate that a message does not say. */
  #lacks(message: SourceMessage, predicate: string): readonly string[] {
    return tellingStems(predicate).filter((word) => !this.#stemsOf(message).has(word))
  }

  #stemsOf({ seq, text }: SourceMessage): ReadonlySet<string> {
    const stems = this.#stems.get(seq) ?? new Set(stemsOf(text))
    this.#stems.set(seq, stems)
    return stems
  }
}

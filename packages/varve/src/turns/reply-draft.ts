import { readJson } from './outside-json.ts'
import { maxSaidCharacters, type Utterance, type SaidPart } from './said.ts'

type Slot = { type: 'text'; text: string } | { type: 'call'; id: string; name: string; json: string } | { type: 'whole'; part: SaidPart }

/** A reply that comes in pieces. What is over the bound is left out. */
export class ReplyDraft {
  readonly #slots = new Map<string, Slot>()
  readonly #latestCalls = new Map<string, string>()
  #left = maxSaidCharacters

  /** Adds words to a place of the reply. */
  text(place: string, words: unknown): void {
    if (typeof words !== 'string') return
    const slot = this.#slots.get(place)
    if (slot?.type === 'text') slot.text += this.#taken(words)
    else if (slot === undefined) this.#add(place, { type: 'text', text: this.#taken(words) })
  }

  /** Adds to a tool call: what is known of its id and name, and a piece of its arguments. */
  call(given: string, id: unknown, name: unknown, json: unknown): void {
    const place = this.#callPlace(given, id, name)
    if (!this.#slots.has(place)) this.#add(place, { type: 'call', id: '', name: '', json: '' })
    const slot = this.#slots.get(place)
    if (slot?.type !== 'call') return
    if (slot.id === '' && typeof id === 'string') slot.id = this.#taken(id)
    if (slot.name === '' && typeof name === 'string') slot.name = this.#taken(name)
    if (typeof json === 'string') slot.json += this.#taken(json)
  }

  /** Adds a part that comes whole: a file, or the result of a tool that the provider ran. */
  whole(place: string, part: SaidPart): void {
    this.#add(place, { type: 'whole', part })
  }

  get isEmpty(): boolean {
    return this.#slots.size === 0
  }

  said(): Utterance {
    return { role: 'assistant', parts: [...this.#slots.values()].map(partOf) }
  }

  /** Some servers give all calls of a reply one place. A call that comes with a name and another id is another one. */
  #callPlace(given: string, id: unknown, name: unknown): string {
    const place = this.#latestCalls.get(given) ?? given
    const slot = this.#slots.get(place)
    const isOther = slot?.type === 'call' && slot.id !== '' && id !== slot.id && isText(id) && isText(name)
    if (!isOther) return place
    const other = `${given} ${id}`
    this.#latestCalls.set(given, other)
    return other
  }

  #add(place: string, slot: Slot): void {
    // A slot costs something too, were its words empty.
    this.#left -= 16
    if (this.#left > 0) this.#slots.set(place, slot)
  }

  #taken(words: string): string {
    const taken = words.slice(0, Math.max(0, this.#left))
    this.#left -= taken.length
    return taken
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function partOf(slot: Slot): SaidPart {
  if (slot.type === 'text') return { type: 'text', text: slot.text }
  if (slot.type === 'whole') return slot.part
  return { type: 'tool-call', toolCallId: slot.id, toolName: slot.name === '' ? 'tool' : slot.name, input: argumentsOf(slot.json) }
}

/** Reads the arguments of a tool call; those that are no JSON, as a cut stream leaves them, stay text. */
export function argumentsOf(json: string): unknown {
  return json === '' ? {} : (readJson(json) ?? json)
}

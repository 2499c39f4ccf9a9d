import { isAsked, spokenTurnText, storedText, type Turn } from './turn.ts'

/** A stored message, with the fields by which it is matched with a host's message. */
export interface AlignRow {
  readonly seq: number
  readonly externalId: string | undefined
  readonly role: string
  readonly content: string
}

/** The most places where one text is searched: the newest. */
const mostPlaces = 64

/**
 * Gives the seq at which each turn is stored, or undefined. Matches by id, or else by role and text, in the order of
 * both. It takes the alignment with the most matches, and of those the one that matches the newest. So a new "go on" is
 * not taken for an old one.
 */
export function align(turns: readonly Turn[], rows: readonly AlignRow[]): (number | undefined)[] {
  const places = new Places(rows)
  const chain = new Chain()
  for (let place = turns.length - 1; place >= 0; place -= 1) {
    const turn = turns[place]
    if (turn !== undefined) chain.offer(place, places.of(turn))
  }
  const found = new Map([...chain.longest()].map(({ place, seq }) => [place, seq]))
  return turns.map((_, place) => found.get(place))
}

class Places {
  readonly #byId = new Map<string, number>()
  readonly #byText = new Map<string, AlignRow[]>()

  constructor(rows: readonly AlignRow[]) {
    for (const row of rows) {
      if (row.externalId !== undefined) this.#byId.set(row.externalId, row.seq)
      const key = keyOf(row.role, row.content)
      const same = this.#byText.get(key)
      if (same === undefined) this.#byText.set(key, [row])
      else same.push(row)
    }
  }

  /** Gives the seqs at which a turn may be stored, oldest first. */
  of(turn: Turn): number[] {
    const byId = turn.id === undefined ? undefined : this.#byId.get(turn.id)
    if (byId !== undefined) return [byId]
    const whole = storedText(turn)
    const found = this.#saying(turn.role, whole)
    const rows = found.length > 0 ? found : [...this.#saying(turn.role, spokenTurnText(turn)), ...this.#handedBack(turn, whole)]
    return rows
      .filter(({ externalId }) => externalId === undefined || turn.id === undefined)
      .slice(-mostPlaces)
      .map(({ seq }) => seq)
  }

  #saying(role: string, text: string): readonly AlignRow[] {
    return (this.#byText.get(keyOf(role, text)) ?? []).filter(({ content }) => content === text)
  }

  /** Finds a user message of results alone among the tool messages, as which it may have been stored. */
  #handedBack(turn: Turn, text: string): readonly AlignRow[] {
    return turn.role === 'user' && !isAsked(turn) ? this.#saying('tool', text) : []
  }
}

/** The characters of either end that tell most texts apart. To hash whole ones would cost more than the rest. */
const endLength = 80

function keyOf(role: string, text: string): string {
  return `${role} ${text.length} ${text.slice(0, endLength)} ${text.slice(-endLength)}`
}

interface Link {
  readonly place: number
  readonly seq: number
  readonly next: Link | undefined
}

/**
 * The longest falling sequence of seqs, offered place by place (Hunt and Szymanski 1977). Of those as long, the one
 * that ends highest.
 */
class Chain {
  /** By length less one: the link with the highest seq that ends a chain of that length. */
  readonly #ends: Link[] = []

  offer(place: number, seqs: readonly number[]): void {
    // The lowest first: one turn must not be matched twice.
    for (const seq of seqs) {
      const at = this.#firstNotAbove(seq)
      this.#ends[at] = { place, seq, next: this.#ends[at - 1] }
    }
  }

  *longest(): Iterable<Link> {
    for (let link = this.#ends.at(-1); link !== undefined; link = link.next) yield link
  }

  /** Finds the first end that is not above a seq. Ends fall as the length grows. */
  #firstNotAbove(seq: number): number {
    let [low, high] = [0, this.#ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ends[middle]?.seq ?? 0) > seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

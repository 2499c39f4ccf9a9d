/** A name that a message gives to somebody's kin, friend or animal. */
export interface Named {
  readonly role: string
  readonly name: string
  readonly seq: number
}

/** The persons who are known in a talk: kin and friends, the speakers, and names that a message treats as persons. */
export class Acquaintances {
  readonly #names: ReadonlySet<string>
  readonly #named: readonly Named[]

  constructor(names: Iterable<string>, named: readonly Named[]) {
    this.#names = new Set(names)
    this.#named = named
  }

  /** Tells whether a name, in lower case, is a person's. */
  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Returns the same acquaintances and one more name. */
  with(name: string): Acquaintances {
    return new Acquaintances([...this.#names, name.toLowerCase()], this.#named)
  }

  /** Returns a person's roles for the speaker: `sister`, `boss`. */
  rolesOf(name: string): string[] {
    return [...new Set(this.#named.filter((one) => one.name.toLowerCase() === name.toLowerCase()).map(({ role }) => role))]
  }

  /** Returns the one person in a role. Undefined where there are several: of two brothers, nobody knows which one is meant. */
  onlyOne(role: string): Named | undefined {
    const all = this.#named.filter((one) => one.role === role)
    return new Set(all.map(({ name }) => name)).size === 1 ? all[0] : undefined
  }
}

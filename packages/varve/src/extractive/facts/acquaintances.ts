/** A name that a message gives to somebody's kin, friend or animal. */
export interface Named {
  readonly role: string
  readonly name: string
  readonly seq: number
}

/** Who is known in a talk: by what they are to the speaker, as one who speaks, or by what is said of them that is said of persons alone. */
export class Acquaintances {
  readonly #names: ReadonlySet<string>
  readonly #named: readonly Named[]

  constructor(names: Iterable<string>, named: readonly Named[]) {
    this.#names = new Set(names)
    this.#named = named
  }

  /** Whether a name, in lower case, is a person's. */
  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** With one more. */
  with(name: string): Acquaintances {
    return new Acquaintances([...this.#names, name.toLowerCase()], this.#named)
  }

  /** What somebody is to whoever names them. */
  rolesOf(name: string): string[] {
    return [...new Set(this.#named.filter((one) => one.name.toLowerCase() === name.toLowerCase()).map(({ role }) => role))]
  }

  /** The only one who is called so: of two brothers it is not told which one is meant. */
  onlyOne(role: string): Named | undefined {
    const all = this.#named.filter((one) => one.role === role)
    return new Set(all.map(({ name }) => name)).size === 1 ? all[0] : undefined
  }
}

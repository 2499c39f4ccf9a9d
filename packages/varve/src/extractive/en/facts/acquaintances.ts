import type { Passage } from './passages.ts'

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

const one = '(\\p{Lu}\\p{Ll}[\\p{L}-]{1,20})'
const company = new RegExp(
  `(?:\\b(?:[Tt]old|[Aa]sked|[Hh]ugged|[Mm]arried|[Dd]ating|[Tt]exted) ${one}(?![\\p{L}'])|\\b(?:[Mm]e and|I and) ` +
    `${one}(?![\\p{L}'])|(?<!\\p{L})${one} and (?:I|me)\\b|(?<!\\p{L})${one}'s (?:mum|mom|dad|mother|father|sister|brother|wife|` +
    `husband|boyfriend|girlfriend|son|daughter|birthday|kids|boss|ex|baby)\\b|(?<!\\p{L})${one} (?:hopes|cried|laughed|smiled|` +
    `hugged|(?:is|got) (?:pregnant|married|engaged)|was born|turned \\d|texted|told me|asked me)\\b)`,
  'gu',
)
const subject = new RegExp(`^${one} (?:\\p{Ll}+s|is|has)\\b`, 'u')
const pronoun = /(?<!\p{L})(?:she|he|her|him|his|hers)(?!\p{L})/u

/** Names of whom a sentence says what is said of persons alone; in lower case. */
export function personsIn({ text, clauses }: Passage): string[] {
  const named = text.length < 8 ? [] : [...text.matchAll(company)].flatMap((found) => found.slice(1).filter((name) => name !== undefined))
  const first = clauses.length < 2 ? undefined : subject.exec(clauses[0]?.text ?? '')?.[1]
  // `Carla hates surprises, so tell her nothing`.
  if (first !== undefined && clauses.slice(1).some(({ text }) => pronoun.test(text))) named.push(first)
  return named.map((name) => name.toLowerCase())
}

import { estimate } from '../../packages/varve/src/context/compact/estimate.ts'
import { below, type Random, seeded } from '../shared/random.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'
import { keyFacts, type KeyFact } from './facts.ts'

/** A message in the shape that our own append takes and an AI SDK host has. */
export interface CodingMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly object[]
}

/** Makes a coding conversation of about so many tokens, the same for each seed. The key facts are told in its first four fifths. */
export function codingConversation(tokens: number, seed = 7): CodingMessage[] {
  const maker = new Maker(seed)
  const spacing = (tokens * 0.8) / keyFacts.length
  const messages: CodingMessage[] = [
    { role: 'system', content: 'You are a coding agent in the repository quayside/harbour. Work in small steps and run the tests.' },
  ]
  const facts = shuffled(keyFacts, seeded(seed + 1))
  let [sum, told] = [0, 0]
  while (sum < tokens) {
    const fact = sum >= told * spacing ? facts[told] : undefined
    if (fact !== undefined) told += 1
    const round = maker.round(fact)
    messages.push(...round)
    sum += round.reduce((all, { content }) => all + tokensOf(content), 0)
  }
  return messages
}

/** Counts the tokens that a model reads of it: without the names of the shape's fields. */
function tokensOf(content: unknown): number {
  if (typeof content === 'string') return estimate(content, Number.POSITIVE_INFINITY)
  return typeof content === 'object' && content !== null
    ? Object.entries(content).reduce((sum, [name, value]) => (name === 'type' ? sum : sum + tokensOf(value)), 0)
    : 0
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, by: random() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ item }) => item)
}

const asks = [
  (thing: string) => `Could you look at how ${thing} is put together? Something there feels slow to me.`,
  (thing: string) => `Next up: ${thing}. Tidy it a little while you are in there.`,
  (thing: string) => `What happens to ${thing} when two requests come at once?`,
  (thing: string) => `ok. and ${thing}?`,
  (thing: string) => `Show me where ${thing} is called from.`,
  (thing: string) => `I am not sure that ${thing} is right, have a look and tell me.`,
  () => 'Looks good, carry on.',
  () => 'Hm, explain that again, shorter.',
]
const thoughts = [
  (thing: string) => `Let me read ${thing} first, then see who depends on it.`,
  (thing: string) => `I will look for uses of ${thing} before I touch it.`,
  () => 'Running the suite once more to see where we stand.',
  (thing: string) => `${thing} looks straightforward; checking its neighbours.`,
  () => '',
]
const reports = [
  (thing: string) => `${thing} reads its rows one at a time, so I made it take them in batches of fifty. The suite is as before.`,
  (thing: string) => `That was the last place where ${thing} was built by hand. Everything still compiles.`,
  (thing: string) => `Two callers use ${thing}; both pass a plain object, so nothing else had to change.`,
  (thing: string) => `Nothing to see in ${thing}: it is guarded by its caller already.`,
]

type Pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]) => Item | undefined

class Maker {
  readonly #random: Random
  readonly #vocabulary = makeVocabulary()
  #calls = 0

  constructor(seed: number) {
    this.#random = seeded(seed)
  }

  /** Makes a round: a person asks, the agent works with some tools, and reports. */
  round(fact: KeyFact | undefined): CodingMessage[] {
    const thing = this.#name()
    const ask = this.#pick(asks)?.(thing) ?? ''
    const steps = Array.from({ length: 1 + below(this.#random, 4) }, () => this.#step(thing))
    const told = fact?.told
    const asked = told?.by === 'user' ? (this.#random() < 0.5 ? `${told.text} ${ask}` : `${ask} ${told.text}`) : ask
    const planted = told?.by === 'tool' ? this.#call([{ name: told.name, input: told.input, output: told.output }], '') : []
    const report = this.#pick(reports)?.(thing) ?? ''
    return [
      { role: 'user', content: asked },
      ...steps.flat(),
      ...planted,
      { role: 'assistant', content: told?.by === 'assistant' ? `${report} ${told.text}` : report },
    ]
  }

  /** Makes one to three calls at once, and their results. */
  #step(thing: string): CodingMessage[] {
    const uses = Array.from({ length: this.#random() < 0.25 ? 2 + below(this.#random, 2) : 1 }, () => this.#use(thing))
    return this.#call(uses, this.#pick(thoughts)?.(thing) ?? '')
  }

  #use(thing: string): { name: string; input: object; output: string } {
    const path = `src/${this.#word()}/${this.#word()}-${this.#word()}.ts`
    const dice = this.#random()
    if (dice < 0.5) return { name: 'Read', input: { file_path: path }, output: this.#code(20 + below(this.#random, 50)) }
    if (dice < 0.75)
      return {
        name: 'Grep',
        input: { pattern: thing, output_mode: 'content' },
        output: Array.from(
          { length: 2 + below(this.#random, 12) },
          () => `src/${this.#word()}/${this.#word()}.ts:${below(this.#random, 400)}: ${this.#line()}`,
        ).join('\n'),
      }
    if (dice < 0.9)
      return {
        name: 'Bash',
        input: { command: 'npm test' },
        output: `${Array.from({ length: 6 }, () => this.#passed()).join('\n')}\n Test Files  6 passed (6)\n`,
      }
    return {
      name: 'Edit',
      input: { file_path: path, old_string: this.#line(), new_string: this.#line() },
      output: `The file ${path} has been updated.`,
    }
  }

  /** Makes a line of a test runner. */
  #passed(): string {
    const [word, tests, ms] = [this.#word(), 1 + below(this.#random, 30), below(this.#random, 900)]
    return ` ✓ test/${word}.spec.ts (${tests} tests) ${ms}ms`
  }

  #call(uses: readonly { name: string; input: object; output: string }[], thought: string): CodingMessage[] {
    const calls = uses.map((use) => ({ ...use, id: `toolu_${String((this.#calls += 1)).padStart(6, '0')}` }))
    const text = thought === '' ? [] : [{ type: 'text', text: thought }]
    return [
      {
        role: 'assistant',
        content: [...text, ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input }))],
      },
      {
        role: 'tool',
        content: calls.map(({ id, name, output }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: 'text', value: output },
        })),
      },
    ]
  }

  #code(lines: number): string {
    return Array.from(
      { length: lines },
      (_, place) => `${String(place + 1).padStart(5)}\t${' '.repeat(2 * below(this.#random, 4))}${this.#line()}`,
    ).join('\n')
  }

  #line(): string {
    const [a, b, c] = [this.#name(), this.#name(), this.#word()]
    return (
      this.#pick([
        `const ${a} = await ${b}(${c}.id)`,
        `if (${a} === undefined) return ${b}`,
        `export function ${a}(${c}: ${b}[]): void {`,
        `return ${c}.map((one) => one.${a})`,
        '}',
        `// ${c} before ${a}`,
        `import { ${a} } from './${c}.ts'`,
      ]) ?? ''
    )
  }

  #name(): string {
    const word = this.#word()
    return `${this.#word()}${word.charAt(0).toUpperCase()}${word.slice(1)}`
  }

  #word(): string {
    return this.#vocabulary.content(this.#random)
  }

  readonly #pick: Pick = (items) => items[below(this.#random, items.length)]
}

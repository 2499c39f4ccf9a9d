import { withoutAddedDates } from '../models/added-dates.ts'
import type { Sentence } from '../models/writer.ts'
import { answeredItem } from './answer-schema.ts'
import { cleanedItem, wordsIn } from './cleaned-item.ts'
import { folded } from './folded.ts'
import { Grounding, type Source } from './grounding.ts'
import { type Fault, type Parsed, problems } from './problem.ts'
import { isOnlyQuestion } from './only-question.ts'
import { steersMembers } from './steers-members.ts'
import type { TextTask } from './text-tasks.ts'
import { hasScript, scriptOf } from './script-of.ts'

/** The most items that are read. It stops a model that repeats itself to its last token. */
const maxItems = 40

/**
 * Checks one part of an answer, item by item. A bad item is dropped. When none is left, the most frequent fault is the
 * part's problem.
 */
export function checkItems(part: unknown, sources: readonly Source[], task: TextTask, allowed?: string): Parsed {
  if (!Array.isArray(part)) return { problem: problems.missing }
  // "Nothing to share" is an answer. "Nothing to say of this talk" is not.
  if (part.length === 0) return task.personsOnly ? { sentences: [] } : { problem: problems.empty }
  const check = new Check(sources, task, allowed)
  const items = part.slice(0, maxItems).map((item) => check.item(item))
  const good = items.filter((item) => typeof item !== 'string')
  // A talk that only asks has nothing to share.
  if (good.length === 0 && items.every((item) => item === 'question')) return { sentences: [] }
  return good.length === 0
    ? { problem: problems[mostOf(items.filter((item) => typeof item === 'string'))] }
    : { sentences: within(good, task) }
}

class Check {
  readonly #sources: ReadonlyMap<number, Source>
  readonly #grounding: Grounding
  readonly #personsOnly: boolean
  readonly #seen = new Set<string>()
  readonly #material: string

  constructor(sources: readonly Source[], { personsOnly }: TextTask, allowed: string | undefined) {
    this.#sources = new Map(sources.map((source) => [source.number, source]))
    // A shared layer may state only words of persons, even if a tool's words are in the same span.
    this.#grounding = new Grounding(personsOnly ? sources.filter(({ isPersons }) => isPersons) : sources, allowed)
    this.#personsOnly = personsOnly
    this.#material = sources.map(({ head, text }) => `${head} ${text}`).join('\n')
  }

  item(received: unknown): Sentence | Fault {
    const item = answeredItem.safeParse(received).data
    if (item === undefined) return 'shape'
    const cleaned = cleanedItem(item.text)
    if ('fault' in cleaned) return cleaned.fault
    if (this.#personsOnly && steersMembers(cleaned.text)) return 'instruction'
    if (this.#personsOnly && isOnlyQuestion(cleaned.text)) return 'question'
    // The model may choose among languages of one script: it may name something that was said in another.
    const script = scriptOf(cleaned.text)
    if (script !== undefined && !hasScript(this.#material, script)) return 'language'
    const cited = [...new Set(item.from)].filter((number) => this.#sources.has(number))
    if (cited.length === 0) return 'uncited'
    if (this.#personsOnly && cited.some((number) => this.#sources.get(number)?.isPersons !== true)) return 'origin'
    const from = this.#grounding.cite(cleaned.text, cited)
    if (from === undefined) return 'invented'
    const key = folded(cleaned.text)
    if (this.#seen.has(key)) return 'repeated'
    this.#seen.add(key)
    return { text: cleaned.text, from }
  }
}

/** Takes the first items that fit: the task asks for the weightiest, or the beginning, first. */
function within(sentences: readonly Sentence[], { maxSentences, maxWords }: TextTask): Sentence[] {
  let words = 0
  const fitting = sentences.slice(0, maxSentences)
  const end = fitting.findIndex(({ text }) => (words += wordsIn(withoutAddedDates(text))) > maxWords)
  return end === -1 ? fitting : fitting.slice(0, Math.max(1, end))
}

function mostOf(faults: readonly Fault[]): Fault {
  const counts = new Map<Fault, number>()
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1)
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a)
  return first?.[0] ?? 'empty'
}

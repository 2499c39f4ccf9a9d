import * as z from 'zod'
import { nameKey } from '../documents/names.ts'
import type { SourceMessage, SubjectFact } from '../models/writer.ts'
import { answeredItem } from './answer-schema.ts'
import { cleanedItem, wordsIn } from './cleaned-item.ts'
import { maxSubjectFacts } from './documents-task.ts'
import { partFault, quoteFault } from './fact-form.ts'
import { factSubject, speakersIn } from './fact-subject.ts'
import { folded } from './folded.ts'
import { Grounding } from './grounding.ts'
import { type Fault, type Problem, problems } from './problem.ts'
import { hidesSomething, isQuestion, quoteOf } from './quote-in.ts'
import { inOneLine } from './quoted.ts'
import { SaidWords } from './said-words.ts'

/** The bounds of a subject, and of a quote, in UTF-16 code units. */
const most = { subject: 100, subjectWords: 8, quote: 600 } as const

export type SubjectRefusal = Fault | 'excess' | 'quote' | 'question' | 'greeting' | 'subject' | 'unsaid'

/** The facts of an answer that may go into documents, and the number of refused ones, by reason. */
export interface CheckedSubjects {
  readonly facts: SubjectFact[]
  readonly refused: number
  readonly reasons: Readonly<Record<string, number>>
}

/**
 * Checks the list of facts for documents in a model's answer, each by itself. A kept fact cites a person's message and
 * quotes it as it stands. It holds no name or number that no person said. `speakers` names the session's speakers
 * beside those of the span.
 */
export function checkDocuments(
  part: unknown,
  messages: readonly SourceMessage[],
  speakers: readonly string[] = [],
): CheckedSubjects | { problem: Problem } {
  if (!Array.isArray(part)) return { problem: problems.missing }
  const check = new Check(messages, speakers)
  const results = part.slice(0, maxSubjectFacts).map((item) => check.item(item))
  if (results.length > 0 && results.every((result) => result === 'shape')) return { problem: problems.subjects }
  const reasons: Record<string, number> = part.length > maxSubjectFacts ? { excess: part.length - maxSubjectFacts } : {}
  for (const result of results) if (typeof result === 'string') reasons[result] = (reasons[result] ?? 0) + 1
  const facts = results.filter((result) => typeof result !== 'string')
  return { facts, refused: part.length - facts.length, reasons }
}

/** The schema of a text. Null and any other value count as ''. A quote may be left out. */
const words = z
  .unknown()
  .optional()
  .transform((given) => (typeof given === 'string' ? given : ''))

const answered = z.object({ from: answeredItem.shape.from, quote: words, subject: words, fact: z.string() })
type Answered = z.output<typeof answered>

/** Words of mere politeness. */
const greeting = new RegExp(
  String.raw`^(?:hi|hello|hey|good (?:morning|evening|afternoon|night)|thanks?|thank you|bye|goodbye|hallo|` +
    String.raw`danke|hola|gracias|bonjour|merci)(?:[ ,]+\p{L}+){0,2}[.!\s]{0,9}$`,
  'iu',
)
const greets = new RegExp(
  String.raw`(?<!\p{L})(?:greet(?:s|ed)|(?:says?|said) (?:hi|hello|thanks|thank you|goodbye|bye)|thank(?:s|ed)|` +
    String.raw`wish(?:es|ed) \p{L}+ a (?:good|nice))(?!\p{L})`,
  'iu',
)

class Check {
  readonly #messages: ReadonlyMap<number, SourceMessage>
  readonly #speakers: ReadonlySet<string>
  readonly #grounding: Grounding
  readonly #said: string
  readonly #persons: readonly { readonly seq: number; readonly words: SaidWords }[]
  readonly #seen = new Set<string>()

  constructor(messages: readonly SourceMessage[], speakers: readonly string[]) {
    const persons = messages.filter(isPersons)
    this.#messages = new Map(messages.map((message) => [message.seq, message]))
    this.#speakers = speakersIn(messages, speakers)
    this.#grounding = new Grounding(
      persons.map(({ seq, text, at, name }) => ({ number: seq, text, head: name ?? '', at, isPersons: true })),
    )
    this.#persons = persons.map((message) => ({ seq: message.seq, words: new SaidWords(message) }))
    this.#said = persons.map(({ text, name }) => `${name ?? ''}\n${text}`).join('\n')
  }

  item(received: unknown): SubjectFact | SubjectRefusal {
    const item = answered.safeParse(received).data
    if (item === undefined) return 'shape'
    if (item.quote.length > most.quote || item.subject.length > most.subject) return 'length'
    const message = this.#source(item)
    if (typeof message === 'string') return message
    const cleaned = cleanedItem(item.fact)
    if ('fault' in cleaned) return cleaned.fault
    const fault = quoteFault(cleaned.text) ?? questionOrGreeting(cleaned.text, item.quote, message)
    if (fault !== undefined) return fault
    const subject = this.#subject(item.subject, message)
    return subject === undefined ? 'subject' : this.#fact(subject, cleaned.text, item.quote, message)
  }

  /** Finds the cited message: of several, the first of a person that holds the quote. */
  #source({ from, quote }: Answered): SourceMessage | SubjectRefusal {
    const cited = from.slice(0, maxSubjectFacts).flatMap((number) => this.#messages.get(number) ?? [])
    if (cited.length === 0) return 'uncited'
    const persons = cited.filter(isPersons)
    if (persons.length === 0) return 'origin'
    return (quote.trim() === '' ? persons[0] : persons.find((one) => quoteOf(quote, one) !== undefined)) ?? 'quote'
  }

  /** Reads the subject. A name must have been said. A label that the model chose is no name, and is written in lower case. */
  #subject(given: string, message: SourceMessage): string | undefined {
    const subject = factSubject(inOneLine(given).replace(/[\s.,;:!?]{1,10}$/, ''), message, this.#speakers)
    if (subject === undefined || subject === '') return subject
    if (
      nameKey(subject) === '' ||
      !/[\p{L}\p{N}]/u.test(subject) ||
      wordsIn(subject) > most.subjectWords ||
      /[:;!?<>{}[\]|\\"“”=]/u.test(subject) ||
      partFault(subject) !== undefined
    )
      return undefined
    const said = new SaidWords({ ...message, text: this.#said })
    const label = subject.replace(/[\p{L}\p{M}][\p{L}\p{M}'’]*/gu, (word) => (said.holdsExact(word) ? word : word.toLowerCase()))
    return said.holdsExact(label) ? label : undefined
  }

  #fact(subject: string, fact: string, quote: string, message: SourceMessage): SubjectFact | SubjectRefusal {
    const from = this.#grounding.cite(fact, [message.seq])
    if (from === undefined || !holdsNumbers(this.#grounding.withoutTold(fact, message.seq), this.#said, message)) return 'invented'
    const quoted = quoteOf(quote, message)
    if (
      ![...(quoted === undefined ? [] : [quoted.words]), message.text].every((text) =>
        new SaidWords({ ...message, text }).holdsContent(fact),
      )
    )
      return 'unsaid'
    const key = JSON.stringify([nameKey(subject), folded(fact)])
    if (this.#seen.size === this.#seen.add(key).size) return 'repeated'
    const also = [...new Set([...from, ...this.#lenders(`${subject}\n${fact}`, message)])]
      .filter((seq) => seq !== message.seq)
      .toSorted((a, b) => a - b)
    return { subject, fact, seq: message.seq, ...(also.length === 0 ? {} : { also }) }
  }

  /** Finds messages that say words which the cited one lacks: for each word, the first that says it. */
  #lenders(text: string, { seq }: SourceMessage): number[] {
    const missing = this.#persons.find((one) => one.seq === seq)?.words.lacks(text) ?? []
    return missing.flatMap((word) => this.#persons.find(({ words }) => words.lacks(word).length === 0)?.seq ?? [])
  }
}

function isPersons({ origin, role }: SourceMessage): boolean {
  return origin === 'person' && role === 'user'
}

/** Checks counts of less than ten, which the grounding passes over. */
function holdsNumbers(fact: string, said: string, message: SourceMessage): boolean {
  const numbers = folded(fact).match(/(?<![\p{L}\p{N}.,:'/-])\p{Nd}(?![\p{L}\p{N}]|[.,:'/-]\p{Nd})/gu) ?? []
  return numbers.length === 0 || new SaidWords({ ...message, text: said }).holdsExact(numbers.join(' and '))
}

function questionOrGreeting(fact: string, quote: string, message: SourceMessage): SubjectRefusal | undefined {
  const { text } = message
  if (/[?\uff1f]["'”’)\s]{0,3}$/u.test(fact)) return 'question'
  if (greets.test(fact) || greeting.test(text.trim()) || greeting.test(quote.trim())) return 'greeting'
  const quoted = quoteOf(quote, message)
  if (quoted === undefined) return isAsking(text) ? 'question' : undefined
  if (hidesSomething(quoted.words)) return 'form'
  return quoteFault(quoted.words) ?? (isQuestion(quoted, text) ? 'question' : undefined)
}

/** Tells whether a message only asks. */
function isAsking(text: string): boolean {
  return !/[.!\n]\s*\S/u.test(text.trim()) && isQuestion({ from: 0, to: text.length, words: text.trim() }, text)
}

import { predicateKey } from '../facts/predicates.ts'
import type { SourceMessage, StatedFact } from '../models/writer.ts'
import { type AnsweredFact, readFact } from './answered-fact.ts'
import { anyWord } from './any-word.ts'
import { AttributeNames } from './attribute-names.ts'
import { maxItemCharacters, wordsIn } from './cleaned-item.ts'
import { withCorrections } from './corrections.ts'
import { tellsEvent } from './event-verbs.ts'
import { factFault, type FormFault, partFault, quoteFault } from './fact-form.ts'
import { factSubject, speakersIn } from './fact-subject.ts'
import { maxFacts } from './facts-task.ts'
import { folded } from './folded.ts'
import { type Problem, problems } from './problem.ts'
import { hidesSomething, isQuestion, type Quoted, quoteIn, quoteOf, sentenceAround } from './quote-in.ts'
import { inOneLine } from './quoted.ts'
import { restingOn } from './resting-on.ts'
import { SaidWords } from './said-words.ts'
import { tellsEnd } from './told-ends.ts'
import { phraseOf } from './told-spans.ts'
import { saidConfidence, givesOneValue, tenseOf, toldTime } from './told-times.ts'

/** The bounds of a fact's parts, in UTF-16 code units. */
const most = { subject: 100, predicate: 60, object: 300, phrase: 100, quote: maxItemCharacters } as const

/**
 * The reasons to refuse a fact. It is no fact at all, or of an unknown kind. It cites no message, or none of a person. The quote does not
 * stand in the message, or says too little. The quote asks. The subject speaks for himself, or is nobody in particular.
 * Names, numbers or the object were not said. No words say the end.
 */
export type Refusal =
  | 'shape'
  | 'kind'
  | 'excess'
  | 'length'
  | 'uncited'
  | 'origin'
  | 'quote'
  | 'scrap'
  | 'question'
  | 'jest'
  | 'supposed'
  | 'empty'
  | FormFault
  | 'subject'
  | 'invented'
  | 'unsaid'
  | 'unended'
  | 'repeated'

/** The facts of an answer that may be stored, and the number of refused ones, by reason. */
export interface CheckedFacts {
  readonly facts: StatedFact[]
  readonly refused: number
  readonly reasons: Readonly<Record<string, number>>
}

/**
 * Checks the list of facts in a model's answer, each by itself. A kept fact cites a person's message and quotes it as
 * it stands. It holds no name, number or object that the message lacks, and no end that the quote does not tell.
 */
export function checkFacts(
  part: unknown,
  messages: readonly SourceMessage[],
  beside: Partial<KnownBeside> = {},
): CheckedFacts | { problem: Problem } {
  if (!Array.isArray(part)) return { problem: problems.missing }
  const items = withCorrections(part.slice(0, maxFacts).map((item: unknown) => readFact(item))).flatMap((item, place) =>
    item === undefined ? [] : { item, place },
  )
  const check = new Check(
    messages,
    items.flatMap(({ item }) => (typeof item === 'string' ? [] : item)),
    beside,
  )
  // An end without an object is about what held before, not about what the same message tells.
  const results = items
    .toSorted((a, b) => Number(isOpenEnd(b.item)) - Number(isOpenEnd(a.item)))
    .map(({ item, place }) => check.item(item, place))
  const refusals: Refusal[] = [
    ...results.filter((result) => typeof result === 'string'),
    ...Array.from({ length: Math.max(0, part.length - maxFacts) }, () => 'excess' as const),
  ]
  if (results.length > 0 && results.every((result) => result === 'kind')) return { problem: problems.kind }
  if (results.length > 0 && results.every((result) => result === 'kind' || result === 'shape')) return { problem: problems.statement }
  const reasons: Record<string, number> = {}
  for (const refusal of refusals) reasons[refusal] = (reasons[refusal] ?? 0) + 1
  return { facts: check.facts(), refused: refusals.length, reasons }
}

/** What is known beside the span. */
export interface KnownBeside {
  /** The session's speakers beside those of the span. */
  readonly speakers: readonly string[]
  /** The session's language: ISO 639-1; '' for unknown. */
  readonly language: string
  /** The attributes that the model was shown. Their words may come from other messages. */
  readonly attributes: readonly string[]
}

interface Kept {
  readonly fact: StatedFact
  /** The model's numbers, from 1. */
  readonly restsOn: readonly number[]
}

/** The message that states a fact, and the words of it. */
interface Source {
  readonly message: SourceMessage
  readonly quoted: Quoted
}

/** The parts of a fact, checked. `also` are other messages that name its subject and its attribute. */
interface Parts extends Pick<StatedFact, 'subject' | 'predicate' | 'object'> {
  readonly also: readonly number[]
}

const saysOf = { state: 'is', event: 'is', ended: 'ends', never: 'wrong' } as const

class Check {
  readonly #messages: ReadonlyMap<number, SourceMessage>
  readonly #items: readonly AnsweredFact[]
  readonly #language: string
  readonly #attributes: AttributeNames
  readonly #speakers: ReadonlySet<string>
  readonly #words = new Map<number, SaidWords>()
  readonly #kept: Kept[] = []
  /** The places of facts among the kept ones. */
  readonly #places = new Map<string, number>()
  /** The kept facts' places, by their places in the model's list. */
  readonly #placeOf = new Map<number, number>()

  constructor(
    messages: readonly SourceMessage[],
    items: readonly AnsweredFact[],
    { speakers = [], language = '', attributes = [] }: Partial<KnownBeside>,
  ) {
    this.#attributes = new AttributeNames(messages, attributes)
    this.#items = items
    this.#language = language
    this.#messages = new Map(messages.map((message) => [message.seq, message]))
    this.#speakers = speakersIn(messages, speakers)
  }

  facts(): StatedFact[] {
    const ground = restingOn(this.#kept.map(({ restsOn }) => restsOn.flatMap((number) => this.#placeOf.get(number - 1) ?? [])))
    return this.#kept.map(({ fact }, place) => {
      const restsOn = ground[place] ?? []
      return restsOn.length === 0 ? fact : { ...fact, restsOn }
    })
  }

  item(item: ReturnType<typeof readFact>, place: number): Refusal | undefined {
    if (typeof item === 'string') return item
    if (isTooLong(item)) return 'length'
    const source = this.#source(item)
    if (typeof source === 'string') return source
    const refusal = quoteRefusal(source.quoted, source.message, item)
    if (refusal !== undefined) return refusal
    const fact = this.#fact(item, source)
    return typeof fact === 'string' ? fact : this.#keep(fact, item, place)
  }

  #keep(fact: StatedFact, { restsOn }: AnsweredFact, place: number): Refusal | undefined {
    const key = JSON.stringify([fact.seq, fact.says, ...[fact.subject, fact.predicate, fact.object].map(folded)])
    const known = this.#places.get(key)
    this.#placeOf.set(place, known ?? this.#kept.length)
    if (known !== undefined) return 'repeated'
    this.#places.set(key, this.#kept.length)
    this.#kept.push({ fact, restsOn })
    return undefined
  }

  /** Finds the message that states a fact: of several cited ones, the first of a person that holds the quote. */
  #source({ from, quote }: AnsweredFact): Source | Refusal {
    const cited = from.flatMap((number) => this.#messages.get(number) ?? [])
    if (cited.length === 0) return 'uncited'
    const persons = cited.filter(({ origin, role }) => origin === 'person' && role === 'user')
    if (persons.length === 0) return 'origin'
    for (const message of persons) {
      const quoted = quoteOf(quote, message)
      if (quoted !== undefined) return { message, quoted }
    }
    return 'quote'
  }

  #fact(item: AnsweredFact, { message, quoted }: Source): StatedFact | Refusal {
    const predicate = field(item.predicate)
    const object = field(item.object).replace(/^(?:an?|the) (?=\S)/, '')
    const subject = factSubject(field(item.subject), message, this.#speakers, quoted.words)
    if (predicate === '' || (object === '' && item.kind !== 'ended')) return 'empty'
    if (subject === undefined) return 'subject'
    const fault = factFault({ subject, predicate, object })
    if (fault !== undefined) return fault
    if (this.#speakers.has(folded(predicate.split(' ', 1)[0] ?? ''))) return 'form'
    const said = this.#wordsOf(message)
    const also = subject === '' || said.holdsAll(subject) ? undefined : this.#namedBefore(subject, message)
    if (also === null) return 'subject'
    if (![...(also === undefined ? [subject] : []), lowerFirst(predicate), object].every((each) => said.holdsExact(each))) return 'invented'
    if (object !== '' && !said.holdsContent(object)) return 'unsaid'
    if (!isCarriedBy(sentenceAround(quoted, message.text), predicate, object)) return 'quote'
    if (!this.#isEnded(item, quoted.words, predicate, object)) return 'unended'
    const named = this.#attributes.of(predicate, message)
    if (named === undefined) return 'unsaid'
    const others = new Set([...(also === undefined ? [] : [also]), ...named.also])
    return this.#stated(item, { message, quoted }, { subject, predicate: named.predicate, object, also: [...others] })
  }

  #stated(
    { kind, tense, confidence, single, ...item }: AnsweredFact,
    { message, quoted }: Source,
    { subject, predicate, object, also }: Parts,
  ): StatedFact {
    const told = toldTime({ when: item.when.slice(0, 2 * most.phrase), until: item.until.slice(0, 2 * most.phrase) })
    const [instead, when, until] = [
      this.#instead(item.instead, object, this.#wordsOf(message)),
      phraseIn(told.when, message),
      phraseIn(told.until, message),
    ]
    const isEvent = kind === 'event' || (kind === 'state' && tellsEvent(predicate))
    const isSingle = single ?? (kind === 'state' && givesOneValue(quoted.words, predicate, object) ? true : undefined)
    return {
      says: saysOf[kind],
      subject,
      predicate: predicate.toLowerCase(),
      object,
      ...(instead === undefined ? {} : { instead }),
      seq: message.seq,
      quote: quoted.words,
      ...(also.length === 0 ? {} : { also }),
      ...(when === undefined ? {} : { when }),
      ...(until === undefined ? {} : { until }),
      tense: tense ?? tenseOf(isEvent ? 'event' : kind, quoted.words, told),
      confidence: confidence ?? saidConfidence(quoted.words),
      ...(isSingle === undefined ? {} : { single: isSingle }),
      ...(isEvent ? { event: true } : {}),
      ...(kind === 'state' && !isEvent && told.passing && until !== undefined ? { passing: true } : {}),
    }
  }

  /** Tells whether words say an end: those of the quote, or another object of the same attribute that the quote states. */
  #isEnded({ kind, subject, from }: AnsweredFact, quote: string, predicate: string, object: string): boolean {
    if ((kind !== 'ended' && kind !== 'never') || tellsEnd(quote, object, this.#language)) return true
    if (object === '') return false
    const said = new SaidWords({ seq: 0, role: 'user', origin: 'person', at: 0, text: quote })
    return this.#items.some((other) => {
      const isOfSame =
        other.kind === 'state' &&
        other.from.some((number) => from.includes(number)) &&
        folded(field(other.subject)) === folded(field(subject)) &&
        predicateKey(field(other.predicate)) === predicateKey(predicate)
      const next = isOfSame && !isTooLong(other) ? field(other.object) : ''
      return next !== '' && folded(next) !== folded(object) && said.holdsExact(next) && said.holdsContent(next)
    })
  }

  /**
   * Finds the last earlier message of a person that names the subject of this one; the fact then rests on both. Null
   * when there is none.
   */
  #namedBefore(subject: string, { seq }: SourceMessage): number | null {
    const named = [...this.#messages.values()]
      .filter((one) => one.seq < seq && one.origin === 'person' && one.role === 'user')
      .findLast((one) => this.#wordsOf(one).holdsAll(subject) && this.#wordsOf(one).holdsExact(subject))
    return named?.seq ?? null
  }

  /** Reads the corrected object, if the message names it. Without it the fact stands all the same. */
  #instead(given: string, object: string, said: SaidWords): string | undefined {
    if (given.length > most.object) return undefined
    const instead = field(given).replace(/^(?:an?|the) (?=\S)/, '')
    if (instead === '' || folded(instead) === folded(object) || partFault(instead) !== undefined) return undefined
    return said.holdsExact(instead) && said.holdsContent(instead) ? instead : undefined
  }

  #wordsOf(message: SourceMessage): SaidWords {
    const words = this.#words.get(message.seq) ?? new SaidWords(message)
    this.#words.set(message.seq, words)
    return words
  }
}

function isOpenEnd(item: ReturnType<typeof readFact>): boolean {
  return typeof item !== 'string' && item.kind === 'ended' && item.object.trim() === ''
}

function isTooLong({ quote, subject, predicate, object }: AnsweredFact): boolean {
  return quote.length > most.quote || subject.length > most.subject || predicate.length > most.predicate || object.length > most.object
}

/** Puts a field in one line, without the marks that end a sentence. */
function field(text: string): string {
  return inOneLine(text)
    .replace(/[\s.,;!]{1,10}$/, '')
    .trim()
}

/** Lowers the first letter: no predicate begins with a name. */
function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function quoteRefusal(quoted: Quoted, { text }: SourceMessage, { kind }: AnsweredFact): Refusal | undefined {
  const { words } = quoted
  const fault = hidesSomething(words) ? 'form' : quoteFault(words)
  if (fault !== undefined) return fault
  // A quote such as "Yes" supports no fact.
  if (wordsIn(words) < 2 && wordsIn(text) > wordsIn(words)) return 'scrap'
  if (isQuestion(quoted, text)) return 'question'
  return kind === 'ended' || kind === 'never' ? undefined : jest.test(words) ? 'jest' : supposed.test(words) ? 'supposed' : undefined
}

/** A wish under a condition: "If I win, I'll buy a boat". */
const supposed = /^[\s"'“]*(?:if|wenn|falls)(?!\p{L})[^.!?]*(?:(?<!\p{L})(?:would|will|würde)|['’](?:d|ll))(?!\p{L})/iu

/** Words by which people say that they did not mean it. */
const jest = anyWord(String.raw`(?<!not |n['’]t )(?:just |only )?(?:kidding|joking)`, 'jk')

/** Tells whether a quote supports its fact: "I live there" with a place that was named before, "my wife Mia" with a marriage. */
function isCarriedBy(quote: string, predicate: string, object: string): boolean {
  if (object === '') return true
  const said = new SaidWords({ seq: 0, role: 'user', origin: 'person', at: 0, text: quote })
  return said.holdsContent(object) || said.holdsVerb(predicate)
}

/**
 * Reads a time in words of the message, as they stand there. A date that these words tell stands for them. Undefined for
 * other words, which are no reason to drop the fact.
 */
function phraseIn(given: string, { text, at }: SourceMessage): string | undefined {
  if (given.trim() === '' || given.length > most.phrase) return undefined
  const words = quoteIn(given, text)?.words.trim() ?? phraseOf(given, text, at)
  return words === undefined || words.length > most.phrase || hidesSomething(words) || partFault(inOneLine(words)) !== undefined
    ? undefined
    : words
}

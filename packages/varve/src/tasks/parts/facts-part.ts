import { itemTerms } from '../../index/item-terms.ts'
import { anyPredicate } from '../../storage/known/assertions.ts'
import { entityKey, objectKey } from '../../facts/keys.ts'
import { isDay, isPlan, predicateKey, wordsOfFact } from '../../facts/predicates.ts'
import { rangeOf } from '../../facts/source-range.ts'
import { resolveWhen } from '../../facts/when.ts'
import { askedToForget, type StatedFact } from '../../models/writer.ts'
import type { NewAssertion } from '../../storage/known/assertions.ts'
import { self } from '../../storage/known/entities.ts'
import type { ReadFacts } from '../../storage/known/known.ts'
import type { NewPart } from '../../storage/derived/part-stores.ts'
import { newPart } from './new-part.ts'
import type { ReadSpan, SpanSession } from './read-span.ts'

type ReadMessage = SpanSession['messages'][number]
type Read = ReadFacts['facts'][number]

/** Makes the part of a span that was read for facts. */
export function factsPart({ chunk, written }: ReadSpan, stated: readonly StatedFact[], refused: number, stored: SpanSession): NewPart {
  return { ...newPart(chunk, 'facts', [], written), known: knownFacts(stated, refused, stored) }
}

/**
 * Makes storable facts from a writer's statements. Each gets its range in the raw text, and its times reckoned from its
 * message. Refuses statements that do not stand in their message.
 */
export function knownFacts(stated: readonly StatedFact[], refused: number, stored: Omit<SpanSession, 'owner'>): ReadFacts {
  const facts: Read[] = []
  const places = new Map<number, number>()
  for (const [place, one] of stated.entries()) {
    const fact = assertionOf(one, stored)
    if (fact === undefined) continue
    places.set(place, facts.length)
    facts.push({ ...fact, restsOn: (one.restsOn ?? []).flatMap((at) => places.get(at) ?? []) })
  }
  return { facts, refused: refused + stated.length - facts.length }
}

function assertionOf(
  stated: StatedFact,
  { messages, session, label, timeZone, hemisphere, language, writer }: Omit<SpanSession, 'owner'>,
): NewAssertion | undefined {
  const message = messages.find(({ seq }) => seq === stated.seq)
  const range = message === undefined ? undefined : rangeOf(stated.quote, message.content, message.recalled ?? [])
  const times = message === undefined ? undefined : timesOf(stated, { at: message.at, timeZone, hemisphere, language })
  if (message === undefined || range === undefined || times === undefined) return undefined
  const others = (stated.also ?? []).flatMap((seq) =>
    messages.filter((one) => one.seq === seq).map(({ content }) => ({ session, seq, from: 0, to: content.length })),
  )
  if (others.length < (stated.also ?? []).length || isToldByAnother(stated.subject, message, label)) return undefined
  const subject = stated.subject === '' || entityKey(stated.subject) === self ? (message.name ?? '') : stated.subject
  const asksToForget = stated.predicate === askedToForget && stated.says === 'ends'
  const predicate = asksToForget ? anyPredicate : predicateKey(stated.predicate)
  return {
    says: stated.says,
    subject,
    predicate: asksToForget ? askedToForget : predicate,
    object: stated.object,
    subjectKey: entityKey(subject),
    predicateKey: predicate,
    objectKey: objectKey(stated.object),
    insteadKey: stated.instead === undefined ? null : objectKey(stated.instead),
    ...times,
    saidAt: message.at,
    confidence: stated.confidence,
    single: stated.single === true && stated.event !== true,
    ofOther: [self, entityKey(message.name ?? '')].includes(entityKey(subject)) ? 0 : message.name === undefined ? 2 : 1,
    lasting: times.validUntil === null ? 'on' : stated.event === true ? 'once' : stated.passing === true ? 'while' : 'on',
    phrase: stated.when ?? stated.until ?? null,
    dependsOn: [],
    writer,
    session,
    sources: [{ session, seq: message.seq, ...range }, ...others],
    ...termsOf(wordsOfFact(label, { ...stated, subject }), language),
  }
}

/** Tells whether another person says it of the user. Only a person's own words become facts about that person. */
function isToldByAnother(subject: string, { name }: ReadMessage, label: string): boolean {
  const [told, own] = [entityKey(subject), entityKey(label)]
  return told !== self && told === own && name !== undefined && entityKey(name) !== own
}

function termsOf(text: string, language: string): Pick<NewAssertion, 'terms' | 'traits'> {
  const { terms, traits } = itemTerms(text, language)
  return { terms, traits }
}

const year = 365 * 86_400_000

type Times = Pick<NewAssertion, 'validFrom' | 'validUntil' | 'whenFrom' | 'whenTo'>

/**
 * Reads the times of a statement. A state holds from its begin, a plan until its time is over. Undefined for a future
 * state without a time.
 */
function timesOf(
  { says, predicate, object, when, until, tense, event }: StatedFact,
  spoken: { readonly at: number } & Pick<SpanSession, 'timeZone' | 'hemisphere' | 'language'>,
): Times | undefined {
  const said = { ...spoken, tense }
  const { at, timeZone } = spoken
  const [begun, over] = [
    when === undefined ? undefined : resolveWhen(when, said),
    until === undefined ? undefined : resolveWhen(until, tense === 'past' ? said : { ...said, tense: 'future' }),
  ]
  const told = { whenFrom: begun?.from ?? null, whenTo: begun?.to ?? null }
  if (says === 'ends') return { validFrom: null, validUntil: begun?.from ?? over?.to ?? null, ...told }
  if (says === 'wrong') return { validFrom: null, validUntil: null, ...told }
  if (isPlan(predicateKey(predicate))) {
    // A deadline is a day, told as a time or not.
    const due = over ?? begun ?? (isDay(predicateKey(predicate)) ? resolveWhen(object, { ...said, tense: 'future' }) : undefined)
    if (due !== undefined || event !== true) return { validFrom: null, validUntil: laterThan(at, due?.to), ...told }
  }
  if (tense === 'future' && begun === undefined) return undefined
  if (event === true) {
    const time = begun ?? over ?? resolveWhen('today', { at, timeZone, tense: 'present' })
    return { validFrom: time?.from ?? at, validUntil: Math.max(time?.to ?? at, over?.to ?? 0), ...told }
  }
  // Nobody is of an age for more than a year.
  if (predicateKey(predicate) === 'age' && over === undefined) return { validFrom: begun?.from ?? null, validUntil: at + year, ...told }
  // A state that is over has begun before. Without a told begin, it begins with the time that tells its end.
  const from = begun?.from ?? (over !== undefined && over.to <= at ? over.from : undefined)
  return { validFrom: from ?? null, validUntil: laterThan(from ?? at, over?.to), ...told }
}

function laterThan(time: number, until: number | undefined): number | null {
  return until === undefined || until < time ? null : until
}

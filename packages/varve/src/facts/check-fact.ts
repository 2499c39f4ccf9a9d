import { InvalidOption } from '../errors/invalid-option.ts'
import { shown } from '../scope/name.ts'
import { inRange, timeOption } from '../scope/options.ts'
import type { CheckedSource } from './check-source.ts'
import { refuseUnknownKeys, type Time, words } from './request.ts'
import type { CheckedCorrection, CheckedFact } from './write-facts.ts'

/** A fact to be added by hand. */
export interface FactInput {
  /** A name, or `I`, `me`, `user` for the user. Default: the user. */
  readonly subject?: string
  /** What is said of it: `lives in`, `likes`. Most have several objects; docs/reference/facts.md lists those that have one at a time. */
  readonly predicate: string
  readonly object: string
  /** When it became true. Default: now. */
  readonly validFrom?: Time
  /** Until when it holds. Default: until further notice. */
  readonly validUntil?: Time
  /** From 0 to 1. Default 1. */
  readonly confidence?: number
  /** Of a predicate that is not known: whether there is one object at a time. Default false. */
  readonly single?: boolean
  /** Ids of the facts without which it does not hold. */
  readonly dependsOn?: readonly string[]
  /** Messages that say so: words of each as they stand there, or characters [from, to); absent: all of it. */
  readonly sources?: readonly { readonly message: string; readonly text?: string; readonly from?: number; readonly to?: number }[]
}

/** What a correction changes. */
export type FactChanges = Pick<Partial<FactInput>, 'object' | 'validFrom' | 'validUntil' | 'confidence'>

const inputKeys: ReadonlySet<string> = new Set([
  'subject',
  'predicate',
  'object',
  'validFrom',
  'validUntil',
  'confidence',
  'single',
  'dependsOn',
  'sources',
])
const changeKeys: ReadonlySet<string> = new Set(['object', 'validFrom', 'validUntil', 'confidence'])
const sourceKeys: ReadonlySet<string> = new Set(['message', 'text', 'from', 'to'])

/** Grounds and sources of one fact, at most. */
const mostListed = 100

export function checkedFact(input: FactInput): CheckedFact {
  refuseUnknownKeys('fact', input, inputKeys)
  const [validFrom, validUntil] = [optionalTime('validFrom', input.validFrom), optionalTime('validUntil', input.validUntil)]
  if (input.single !== undefined && typeof input.single !== 'boolean')
    throw new InvalidOption({ option: 'single', received: shown(input.single), expected: 'true or false' })
  return {
    subject: words('subject', input.subject === undefined ? 'user' : input.subject),
    predicate: words('predicate', input.predicate),
    object: words('object', input.object),
    validFrom,
    validUntil,
    confidence: confidence(input.confidence) ?? 1,
    single: input.single ?? false,
    dependsOn: ids(input.dependsOn),
    sources: list('sources', input.sources).map(source),
  }
}

export function checkedChanges(changes: FactChanges): CheckedCorrection {
  refuseUnknownKeys('changes', changes, changeKeys)
  const [from, until, sure] = [
    optionalTime('validFrom', changes.validFrom),
    optionalTime('validUntil', changes.validUntil),
    confidence(changes.confidence),
  ]
  if (Object.values(changes).every((value) => value === undefined)) {
    throw new InvalidOption({
      option: 'changes',
      received: shown(changes),
      expected: `at least one of ${[...changeKeys].join(', ')}; for another subject or predicate, retract it and add the right one`,
    })
  }
  return {
    ...(changes.object === undefined ? {} : { object: words('object', changes.object) }),
    ...(from === null ? {} : { validFrom: from }),
    ...(until === null ? {} : { validUntil: until }),
    ...(sure === undefined ? {} : { confidence: sure }),
  }
}

function optionalTime(option: string, received: Time | undefined): number | null {
  return received === undefined ? null : timeOption(option, received)
}

function confidence(received: unknown): number | undefined {
  return received === undefined ? undefined : inRange('confidence', received, 0, 1, false)
}

function list(option: string, received: unknown): readonly unknown[] {
  if (received === undefined) return []
  // A hole in it is undefined, as it is to the eye.
  if (Array.isArray(received) && received.length <= mostListed) return [...received]
  throw new InvalidOption({ option, received: shown(received), expected: `a list of at most ${mostListed}` })
}

function ids(received: unknown): readonly string[] {
  const found = list('dependsOn', received).filter((id) => typeof id === 'string')
  if (Array.isArray(received) && found.length < received.length)
    throw new InvalidOption({ option: 'dependsOn', received: shown(received), expected: 'ids of facts' })
  return found
}

function source(received: unknown): CheckedSource {
  refuseUnknownKeys('sources', received, sourceKeys)
  const { message, text, from, to }: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(received ?? {}))
  const isRight =
    typeof message === 'string' &&
    (text === undefined || (typeof text === 'string' && text !== '')) &&
    isPlace(from) &&
    isPlace(to) &&
    (text === undefined || (from === undefined && to === undefined))
  if (!isRight)
    throw new InvalidOption({
      option: 'sources',
      received: shown(received),
      expected: '{ message, text } with words of the message, or { message, from, to }',
    })
  return { message, text, from, to }
}

function isPlace(received: unknown): received is number | undefined {
  return received === undefined || (typeof received === 'number' && Number.isInteger(received) && received >= 0)
}

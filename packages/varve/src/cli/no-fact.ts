import type { UserMemory } from '../memory/user-memory.ts'
import type { GlobalFlags } from './global-flags.ts'
import { commandLine, whose } from './next-command.ts'
import type { ListedFact } from './render/fact.ts'
import { harmlessLine, minute } from './terminal.ts'

const mostLooked = 10_000
const mostNamed = 8

/** The shared first letters of two words by which one name may be meant for another. */
const leastAlike = 3

/** Says why a list or a history is empty, and which command to type. Names the known subjects or predicates, the most alike first. */
export async function noFact(
  { facts }: UserMemory,
  command: 'facts' | 'history',
  { subject, predicate, asOf: known }: { readonly subject?: string; readonly predicate?: string; readonly asOf?: string | number },
  flags: GlobalFlags,
): Promise<string> {
  const asOf = known?.toString()
  const all: readonly ListedFact[] = await facts.query({ limit: mostLooked })
  const learnt = Math.min(...all.map(({ recordedAt }) => recordedAt))
  if (asOf !== undefined && Number.isFinite(learnt) && Date.parse(asOf) < learnt && (await facts.query({ asOf, limit: 1 })).length === 0) {
    return (
      `No fact: nothing was known as of ${harmlessLine(asOf)}: the facts known now were learnt from ${minute(learnt)} on. --valid-at ` +
      `asks for facts that were true then.\n${next('facts', '--valid-at', asOf, ...whose(flags))}`
    )
  }
  const of: readonly ListedFact[] = subject === undefined ? all : await facts.history({ subject })
  const generally = next('facts', ...whose(flags))
  if (subject !== undefined && of.length === 0)
    return `No fact: nothing was ever known of ${harmlessLine(subject)}.${listed(
      ' Known are',
      nearest(
        subject,
        all.map((fact) => fact.subject),
      ),
    )}\n${generally}`
  if (predicate === undefined || (await isKnown(facts, subject, predicate))) return `No fact: no known fact is like that.\n${generally}`
  const names = nearest(
    predicate,
    of.map((fact) => fact.predicate),
  )
  const [meant] = names.filter((name) => likeness(predicate, name) >= leastAlike)
  const instead =
    command === 'history'
      ? ['facts', 'history', subject ?? '', ...(meant === undefined ? [] : [meant])]
      : ['facts', ...(subject === undefined ? [] : ['--subject', subject]), ...(meant === undefined ? [] : ['--predicate', meant])]
  return (
    `No fact: ${subject === undefined ? 'none' : `of ${harmlessLine(subject)} none`} is known with ` +
    `"${harmlessLine(predicate)}".${listed(' There is', names)}\n${next(...instead, ...whose(flags))}`
  )
}

async function isKnown(facts: UserMemory['facts'], subject: string | undefined, predicate: string): Promise<boolean> {
  return (await (subject === undefined ? facts.query({ predicate, limit: 1 }) : facts.history({ subject, predicate }))).length > 0
}

function next(...args: readonly string[]): string {
  return `Next: ${commandLine(...args)}`
}

function listed(what: string, names: readonly string[]): string {
  return names.length === 0
    ? ''
    : `${what}: ${names.slice(0, mostNamed).map(harmlessLine).join(', ')}${names.length > mostNamed ? ', …' : ''}.`
}

/** Gives each name once, the most alike first, else in the given order. */
function nearest(wanted: string, names: readonly string[]): string[] {
  return [...new Set(names)].toSorted((a, b) => likeness(wanted, b) - likeness(wanted, a))
}

/** Counts the characters of the longest beginning that a word of one shares with a word of the other. */
function likeness(one: string, other: string): number {
  const wordsOf = (text: string): string[] => text.toLowerCase().split(' ')
  return Math.max(...wordsOf(one).flatMap((word) => wordsOf(other).map((next) => sharedStart(word, next))))
}

function sharedStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

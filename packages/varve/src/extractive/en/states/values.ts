import { matchesOf } from '../../../messages/matches-of.ts'
import { masked } from '../../facts/reading.ts'
import { thingKinds } from './attributes.ts'
import { regex, source } from '../../word-lists.ts'

/** A word or a number that may be the value of a state: its kind, and its place in the clause. */
export interface Value {
  readonly kind: string
  readonly from: number
  readonly to: number
}

const months = source`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|
  nov(?:ember)?|dec(?:ember)?)`
const weekdays = '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?)'
const numbers = source`(?:\d[\d.,]*k?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|sixteen|twenty|thirty|
  forty|fifty|sixty|hundred)`
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'price',
    regex('giu')`[€$£] ?\d[\d.,]*k?|\b${numbers} ?(?:€|£|\$|euros?|dollars?|pounds?|quid|bucks|cents?|pence|francs?|chf|usd|eur|gbp|kr|
      crowns?)(?!\p{L})`,
  ],
  ['percent', /\b\d[\d.,]* ?(?:%|percent\b)/giu],
  [
    'day',
    regex('giu')`\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ${months}|${months} (?:the )?\d{1,2}(?:st|nd|rd|th)?|\d{4}-\d\d-\d\d|
      (?:every (?:other|second) )?${weekdays})\b`,
  ],
  ['clock', /\b\d{1,2}[:.]\d\d(?: ?[ap]m)?\b|\b\d{1,2} ?(?:[ap]m|o'clock)\b|\b(?:noon|midnight)\b/giu],
  ['version', /\bv?\d+(?:\.\d+){1,3}\b|(?<=\b\p{L}[\p{L}.+#-]{1,20} )v?\d{1,4}\b/giu],
  [
    'command',
    regex('gu')`(?:^|(?<= ))(?:\.{0,2}\/[\w./-]+|[\w-]+(?:\/[\w.-]+)+|(?:npm|npx|yarn|pnpm|make|cargo|docker|git|go|python|poetry|just|
bun|node) [\w:./-]+(?: [\w:./-]*[:./-][\w:./-]*)*)`,
  ],
  ['site', /\b[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?:io|com|org|net|dev|app|ai|co|me|de|fr|es|it|nl|uk|eu|info|shop)\b/gu],
  ['quoted', /(?<![\p{L}\p{N}#@/])[#@]\p{L}[\p{L}\p{N}_-]+/giu],
  [
    'amount',
    regex('giu')`\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\d{1,2}(?:st|nd|rd|th)) (?:grade|
year|floor|class|semester|term|form|league|division|place)\b`,
  ],
  ['amount', new RegExp(`\\b${numbers}\\b`, 'giu')],
  ['quoted', new RegExp(masked, 'gu')],
]
const named = regex('gu')`(?<=(?:^|[ (])(?:\S+ )?)\p{Lu}[\p{L}\p{N}'&.+-]*(?: (?:of|de|van|von|the|and|
&) (?=\p{Lu}))?(?: ?\p{Lu}[\p{L}\p{N}'&.+-]*| \d+)*`
/** Words that begin a sentence, or are shouted: `on an ISLAND`. */
const noName =
  /^(?:\p{Lu}{6,}|I|I'm|I've|We|My|Our|The|It|A|An|And|But|So|In|On|At|OK|Since|Please|He|She|They|This|That|There|No|Yes|To|For)$/u

/** `VS Code` is written in one or two words. */
const things = /VS Code|GitHub Actions|[\p{L}+-]{2,}/giu
/** Of a thing of two kinds, the first counts. */
const kindOfThing = new Map(thingKinds.toReversed().flatMap(([kind, members]) => [...members].map((member) => [member, kind] as const)))

/** Finds the values in a clause, in order. A word may be several: `Node 22` is a name, a version and a language. */
export function valuesIn(clause: string): Value[] {
  const found = patterns.flatMap(([kind, pattern]) =>
    matchesOf(clause, pattern).map(({ 0: text, index }) => ({ kind, from: index, to: index + text.length })),
  )
  for (const { 0: text, index } of matchesOf(clause, named))
    if (!noName.test(text) && (index > 0 || / |\d/u.test(text))) found.push({ kind: 'name', from: index, to: index + text.length })
  for (const { 0: text, index } of matchesOf(clause, things)) {
    const kind = kindOfThing.get(text.toLowerCase().replace(' ', ''))
    if (kind !== undefined) found.push({ kind, from: index, to: index + text.length })
  }
  return found.toSorted((a, b) => a.from - b.from)
}

/** The kind of the first known thing in a text. */
export function knownThingIn(text: string): string | undefined {
  return valuesIn(`x ${text}`).find(({ kind }) => thingKinds.some(([known]) => known === kind))?.kind
}

/** The kinds of a value's text. */
export function kindsOf(text: string): ReadonlySet<string> {
  return new Set(valuesIn(`x ${text}`).map(({ kind }) => kind))
}

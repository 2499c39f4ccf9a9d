import type { SentencePassage } from './passages.ts'
import { regex } from '../../word-lists.ts'

const one = '(\\p{Lu}\\p{Ll}[\\p{L}-]{1,20})'
const company = regex('gu')`(?:\b(?:[Tt]old|[Aa]sked|[Hh]ugged|[Mm]arried|[Dd]ating|[Tt]exted) ${one}(?![\p{L}'])|\b(?:[Mm]e and|
  I and) ${one}(?![\p{L}'])|(?<!\p{L})${one} and (?:I|me)\b|(?<!\p{L})${one}'s (?:mum|mom|dad|mother|father|sister|brother|wife|husband|
  boyfriend|girlfriend|son|daughter|birthday|kids|boss|ex|baby)\b|(?<!\p{L})${one} (?:hopes|cried|laughed|smiled|hugged|(?:is|
  got) (?:pregnant|married|engaged)|was born|turned \d|texted|told me|asked me)\b)`
const subject = new RegExp(`^${one} (?:\\p{Ll}+s|is|has)\\b`, 'u')
const pronoun = /(?<!\p{L})(?:she|he|her|him|his|hers)(?!\p{L})/u

/** Returns the names, in lower case, that a sentence treats as persons. */
export function personsIn({ text, clauses }: SentencePassage): string[] {
  const named = text.length < 8 ? [] : [...text.matchAll(company)].flatMap((found) => found.slice(1).filter((name) => name !== undefined))
  const first = clauses.length < 2 ? undefined : subject.exec(clauses[0]?.text ?? '')?.[1]
  // `Carla hates surprises, so tell her nothing`.
  if (first !== undefined && clauses.slice(1).some(({ text }) => pronoun.test(text))) named.push(first)
  return named.map((name) => name.toLowerCase())
}

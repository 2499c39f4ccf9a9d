import { contentTerms } from '../index/content-terms.ts'
import { linesOf } from '../pages/lines.ts'
import { type DatedFact, withBullet } from './bullets.ts'

/** A line tells a fact that holds at least this share of its words, and all of its numbers. */
const leastShare = 0.5

const heading = /^#{1,6}\s/

/** English stop words and stems do no harm to other languages: both sides are read alike. */
const termsOf = (text: string): string[] => contentTerms(text, 'en')

/** Tells whether a line of a document tells a fact, its headings included: as a bullet, or in an editor's words. */
export function standsIn(content: string, fact: string): boolean {
  const wanted = [...new Set(termsOf(fact))]
  const numbers = wanted.filter((term) => /\p{Nd}/u.test(term))
  let above = new Set<string>()
  for (const { start, end } of linesOf(content)) {
    const line = content.slice(start, end)
    const terms = new Set(termsOf(line))
    if (heading.test(line)) above = terms
    const isThere = (term: string): boolean => terms.has(term) || above.has(term)
    if (numbers.every(isThere) && wanted.filter(isThere).length >= wanted.length * leastShare) return true
  }
  return false
}

/**
 * Adds the facts that an edited document does not tell, each as a dated bullet: no fact counts as worked in that stands
 * nowhere. Undefined when one cannot be added. The caller checks the length.
 */
export function withAllFacts(content: string, facts: readonly DatedFact[]): string | undefined {
  let stands: string | undefined = content
  for (const fact of facts) {
    if (stands === undefined) return undefined
    if (!standsIn(stands, fact.fact)) stands = withBullet(stands, fact, Number.POSITIVE_INFINITY)
  }
  return stands
}

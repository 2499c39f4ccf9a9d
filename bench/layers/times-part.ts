import { bankBullets, gistSentences, pagesOf } from './lines.ts'
import { atMost, type LayerPart, shareOf } from './part.ts'

const unit = '(?:day|week|weekend|month|year|night|morning|evening|afternoon|summer|winter|spring|fall|autumn)s?'
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const month = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const count = '(?:an?|one|two|three|four|five|six|seven|a few|a couple of|several|\\d+)'

/** Words for a time that nobody can place without the day on which they were said. */
const relative = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|this past|this coming) (?:${unit}|${weekday}|${month})` +
    `|${count} ${unit} (?:ago|from now)|in ${count} ${unit}|the other day|(?:the )?day (?:before|after) (?:yesterday|tomorrow))\\b`,
  'giu',
)

/** A date in brackets soon after the words: "(7 May 2023)". */
const dated = /^[^.;!?]{0,24}\([^()]*\d[^()]*\)/u
/** Old talk, in which the words have no date of their own. */
const headed = /^[^\p{L}]*\d{4}-\d\d-\d\d|^\(?\d{1,2} \p{Lu}\p{L}+ \d{4}/u

/** Tells whether a line has a relative time without a date beside it. */
function isUndated(line: string): boolean {
  return [...line.matchAll(relative)].some(({ index, 0: words }) => !dated.test(line.slice(index + words.length)) && !headed.test(line))
}

const mostUndated = 0.01

export const timesPart: LayerPart = {
  layer: 'times',
  figures: async ({ talks }) => {
    const [sentences, bullets, lines]: string[][] = [[], [], []]
    for (const talk of talks) {
      sentences?.push(...(await gistSentences(talk)))
      bullets?.push(...(await bankBullets(talk)))
      lines?.push(...(await pagesOf(talk)).flatMap((page) => page.lines))
    }
    return [
      atMost('gist sentences with an undated relative time', shareOf(sentences ?? [], isUndated), mostUndated),
      atMost('bullets of the bank, the same', shareOf(bullets ?? [], isUndated), mostUndated),
      atMost('lines of documents, the same', shareOf(lines ?? [], isUndated), mostUndated),
    ]
  },
}

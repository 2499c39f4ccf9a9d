import type { PhraseContext } from './said-phrase.ts'

const being = String.raw`(?:am|is|are|\w+'(?:m|re|s))`
const surely = String.raw`will|won't|\w+'ll|going to|gonna|${being} (?:[a-z]+ly |not |so |all |both )?[a-z]+ing(?<!thing)`
const future = [
  surely,
  'shall|plan(?:s|ning|ned to)?|hop(?:e|es|ing)|wants? to|wanna|intends?|aim(?:s|ing)?|expect(?:s|ing|ed to)|supposed to|scheduled',
  "due|let's|upcoming|looking forward|can't wait|needs? to|must|should|about to|remind|see you",
  String.raw`ha(?:ve|s) (?:to|an?|my|his|her|our|their|another)|(?:would|\w+'d) (?:like|love) to`,
].join('|')
/** "Is closed", "am excited", "is": now, or on each such day. */
const present =
  String.raw`(?:${being}|be|being|gets?|feels?) (?:so |very |really |all |not |too )?[a-z]+ed|am|is|are|isn't|aren't|does|doesn't|don't|` +
  String.raw`i'm|(?:you|we|they)'re|(?:he|she|it|that|there|who|what)'s`
const past = [
  "was|were|wasn't|weren't|had|hadn't|did|didn't|been|gone|seen|done|taken|went|saw|met|got|took|made|came|said|told|gave|found|left|lost",
  'ran|won|began|bought|brought|built|caught|ate|fell|felt|flew|held|heard|kept|knew|led|learnt|sent|sold|slept|spoke|spent|stood|swam',
  'taught|thought|threw|understood|woke|wore|wrote|drove|drank|drew|sang|sat|broke|chose|rode|paid|became|grew|shot|stole',
  '[a-z]{2,}[a-df-z]ed(?<!hundred|sacred)',
].join('|')
const verbs = new RegExp(
  String.raw`(?<![\w-])(?:(?<surely>${surely})|(?<future>${future})|(?<present>${present})|(?<past>${past}))(?![\w-])`,
  'gi',
)

/** A condition, an aim, or an example. */
const perhaps = /(?:^|[:.] )(?:if|to|for example|suppose|assuming|imagine)\b/i
const recurs = new RegExp(
  String.raw`\b(?:every|each|always|usually|often|annual(?:ly)?|yearly|normally|typically|generally|whenever|sometimes|never|` +
    String.raw`born|birthdays?|anniversar(?:y|ies))\b`,
  'i',
)
const sentenceEnd = /[.!?;](?=\s|$)/g

interface Verb {
  readonly tense: PhraseContext['tense']
  readonly isSure: boolean
  /** Its end. */
  readonly at: number
}

/** Reads the sentence around a phrase. Its tense is that of the nearest verb before the phrase, or else of the first behind it. */
export function contextAround(text: string, start: number, end: number): PhraseContext {
  const ends = [...text.matchAll(sentenceEnd)].map(({ index }) => index + 1)
  const from = ends.findLast((at) => at <= start) ?? 0
  const [before, behind] = [
    text.slice(from, start),
    text.slice(
      end,
      ends.find((at) => at > end),
    ),
  ]
  const last = verbsIn(before).at(-1)
  const verb = last ?? verbsIn(behind)[0]
  const aims = last !== undefined && /\bto [a-z]/.test(before.slice(last.at))
  return {
    tense: verb?.tense,
    isSure: verb?.isSure === true && !aims && !perhaps.test(before.trimStart()),
    isYearly: recurs.test(before) || recurs.test(behind),
  }
}

function verbsIn(words: string): Verb[] {
  return [...words.matchAll(verbs)].map(({ groups = {}, index, 0: { length } }) => {
    const { surely: isSure, future: willBe, past: was } = groups
    const tense = was !== undefined ? 'past' : isSure !== undefined || willBe !== undefined ? 'future' : undefined
    return { tense, isSure: isSure !== undefined, at: index + length }
  })
}

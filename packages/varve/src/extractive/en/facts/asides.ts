import { source } from '../../word-lists.ts'

const helps = source`(?:(?:that|it|this) (?:helps|matters|counts for anything|makes (?:any|a) difference|is (?:of )?(?:any )?(?:help|use|
  interest|relevant|useful|important))|(?:you're|you are|you were|anyone's|anyone is|anybody's|anybody is|ya) (?:wondering|curious|
  interested|asking)|(?:you|anyone|anybody) (?:must|need to|want to|wanna|wants to|have to|cares? to|ever need to) know|(?:you|anyone|
  i) (?:ever )?(?:asks?|cares?|wonders?)|you (?:didn't|don't) (?:already )?know|you forgot|i (?:haven't|didn't|forgot to) (?:mentioned|
  mention|said|say|told you|tell you)(?: it| that)?)`
const told =
  '(?:already )?(?:said|told|mentioned|say|wrote|noted)(?: (?:you|that|it|this))?(?: (?:before|earlier|already|last time|above))?'
const known = source`(?:if|in case) ${helps}|(?:just |only )?(?:so (?:that )?you know|fyi|for the record|for your (?:info|information|
  records|files?))|(?:just )?(?:i )?(?:thought|figured) (?:you should know|(?:i'd|i would|i should|i'll) (?:just )?(?:mention|say|add|note|
  tell you|let you know|point out)(?: (?:it|that))?)|(?:just )?(?:to let you|letting you) know|(?:as|like) (?:i|i've|i have|we) ${told}|
  (?:as|like) (?:already )?mentioned(?: before| earlier| above)?|as you (?:may |might |probably )?(?:already )?know|(?:i'm )?(?:not sure|
  idk|dunno|(?:i )?(?:don't know|can't remember|don't remember|forgot|forget)) (?:if|whether) i(?:'ve| have)? (?:ever )?${told}`
/** Words that may still follow such a clause: `if that helps with the design`. */
const more = '(?: (?:with|for|about|at all|of course|please|here|ever|again|by the way|btw|lol|though|tho)\\b[^,;:.!?()]{0,40})?'
const end = new RegExp(`(?:,| -| –|—|;| \\(|\\.{2,3}|…)? (?:and |but |or )?(?:${known})${more}[.!…)]{0,3}$`, 'iu')
const beginning = new RegExp(`^(?:(?:ok|so|well|oh|and|hi|hey|btw|also),? ){0,2}(?:${known})[,:] ?(?=\\S)`, 'iu')
/** Kisses and strokes after the last word. */
const trifles = /(?:(?: x{1,4}| xo(?:xo){0,2}| ?~{1,3}| [-–—]| ?\^|1{1,3}(?<=!1{1,3}))[.!]{0,2})$/iu

const idle = new RegExp(`^${helps}${more}$`, 'iu')

/** Tells whether an `if` sets no condition: `if you must know`. */
export function isIdleCondition(clause: string): boolean {
  return clause.length < 100 && idle.test(clause)
}

/** Returns the range of a sentence without additions such as `if that helps` and `as I said`, which take nothing back. */
export function withoutAsides(sentence: string): { from: number; to: number } {
  if (sentence.length > 600) return { from: 0, to: sentence.length }
  const from = beginning.exec(sentence)?.[0].length ?? 0
  const kissed = sentence.length - (trifles.exec(sentence)?.[0].length ?? 0)
  const to = end.exec(sentence.slice(0, kissed))?.index ?? kissed
  return to > from ? { from, to } : { from, to: sentence.length }
}

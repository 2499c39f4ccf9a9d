import { regex, source } from '../../word-lists.ts'

/** Words before a sentence that command only that it be kept, or told: `remember that`, `please note:`, `from now on`. */
export interface Lead {
  readonly length: number
  /** True when it asks to keep the words after it. */
  readonly asksToKeep: boolean
  /** True when it is put as a question, which the words after it are not: `can you remember that …?` */
  readonly isAsked: boolean
  /** True when it says that something before was wrong. */
  readonly corrects: boolean
}

const hums = '(?:(?:and|also|so|ok|okay|oh|well|but|hi|hey)[,.!]? ){0,2}'
const asking = source`(?:(?<asked>(?:can|could|would|will) you )|(?:i want|i need|i'd like|i would like) you to |you should |(?:please|
  pls),? |always |just ){0,3}`
const store = '(?:your )?(?:long-term )?(?:memory|memories|notes|records)'
const these = '(?:this|it|that|the following)'

/** Words that ask to keep a statement. */
const keeping = [
  `remember(?: ${these}(?=:))?(?: for (?:next time|later|the future))?`,
  "(?:don't|do not|never) forget",
  '(?:keep|bear) in mind',
  '(?:(?:quick|small|side|one more) )?note(?: to self)?',
  `take note|(?:make|take) a (?:mental )?note(?: of ${these})?`,
  `(?:jot|write|note)(?: ${these})? down`,
  `(?:put|add|save|store|commit|write|keep|record) (?:${these}(?: (?:in|into|to) ${store})?|(?:in|into|to) ${store})(?=:| that )`,
  `memori[sz]e(?: ${these})?`,
  `for ${store}`,
].join('|')

/** Words that only lead up to a statement. */
const telling = [
  '(?:just )?(?:so (?:that )?you know|fyi|letting you know|to let you know)',
  '(?:know(?<=you should know|want you to know|like you to know))',
  `for (?:the record|your (?:info|information|files?)|(?:future|later) reference)`,
  'heads[- ]up|good to know',
  `(?:(?:a|one|small|quick|little) ){0,2}update(?: on my side)?(?: (?:${these}|${store}))?(?![^,:]{1,30} to )`,
  'from now on|from today(?: on)?|as of (?:today|now)|starting today',
].join('|')

/** A correction without a statement after it, such as `correction: Bergen`, is read as a short correction. */
const correcting = `(?:(?:a|one|small|quick|little) ){0,2}correction|(?:let me|i (?:have|need) to) correct (?:${these}|myself)`

const stated = "(?:i|i'm|i've|i'll|i'd|im|my|our|we|we're|we've|the|there's)(?= )(?! mean)"
const between = `(?: that|,|:| [-–—])? (?=${stated})`
const lead = regex('iu')`^${hums}${asking}(?:(?<keeping>${keeping})(?: that |: |(?:,|:| [-–—])? (?=${stated}))|(?:${telling})(?: that |
  : |, |${between})|(?<correcting>${correcting})${between})`

/** Returns the words before a sentence, or before a clause, that only command. */
export function leadIn(text: string): Lead | undefined {
  const found = lead.exec(text.slice(0, 120))
  const { keeping, asked, correcting } = found?.groups ?? {}
  const is = { asksToKeep: keeping !== undefined, isAsked: asked !== undefined, corrects: correcting !== undefined }
  return found === null ? undefined : { length: found[0].length, ...is }
}

import { is, type Said, sure } from '../../facts/said.ts'
import { regex } from '../../word-lists.ts'
import { knownThingIn, valuesIn } from './values.ts'
import { commonWords, thingKinds } from './attributes.ts'
import { adjectives, fillers, noNoun } from './words.ts'

/** Words after a thing that ended. */
const besideEnd = regex(
  'iu',
)` (?:onto|to|into|for|from|in|on|at|with|about|after|last|this|next|thank|entirely|completely|it|them|that|there|anything|\d+ \p{L}+ ago|
  and)(?: .*)?$`
/** No things: `retired from the railways`. */
const isIdleEnd = /^(?:from|to|in|on|at|with|for|of|under|behind) |^(?:go|come|do|be|have|send|need|anything|everything)$/iu

/** Ends whatever these words name. */
export function endsOf(text: string | undefined): Said[] {
  const topic = (objectOf(text) ?? '')
    .replace(besideEnd, '')
    .split(' ')
    .filter((word) => !fillers.has(word.toLowerCase()))
  const object = topic.slice(0, 4).join(' ')
  return object.length < 2 || noNoun.has(object.toLowerCase()) || isIdleEnd.test(object)
    ? []
    : [{ says: 'ends', predicate: '*', object, tense: 'past', confidence: sure }]
}

export function state(
  attribute: string | undefined,
  value: string | undefined,
  { valued: isValued = false, ...more }: Partial<Said> & { valued?: boolean },
): Said[] {
  const [predicate, object] = [attributeOf(attribute), objectOf(value)]
  if (predicate === undefined || object === undefined || noNoun.has(firstWord(object).toLowerCase()) || (isValued && !hasValue(object)))
    return []
  return is(predicate, object, { single: true, ...more })
}

export function valued(predicate: string, value: string | undefined, more: Partial<Said>): Said[] {
  const object = objectOf(value)
  return object === undefined || predicate === '' || noNoun.has(firstWord(object).toLowerCase()) || !hasValue(object)
    ? []
    : is(predicate, object, more)
}

export function hasValue(text: string): boolean {
  return valuesIn(`x ${text}`).length > 0
}

const firm: ReadonlySet<string> = new Set(['version', 'price', 'command', 'site', 'quoted', 'percent', 'clock', 'day'])

/** Tells whether a text has a value that tells a state by itself: a version, a price, a time, a known thing. */
export function hasFirmValue(text: string): boolean {
  // A bare `1.48` is a measure, `Node 22` a version.
  const isBare = /^[\d.]+$/u.test(text)
  return (
    knownThingIn(text) !== undefined ||
    valuesIn(`x ${text}`).some(({ kind }) => firm.has(kind) && !(isBare && (kind === 'version' || kind === 'clock')))
  )
}

const exact = new Set([...firm].filter((kind) => kind !== 'day' && kind !== 'clock'))

/** Tells whether an object begins with a known thing, a price, a version or another value that says something in any sentence. */
export function isExact(text: string): boolean {
  return valuesIn(`x ${text}`).some(({ kind, from }) => from <= 2 && (exact.has(kind) || thingKinds.some(([known]) => known === kind)))
}

/** Tells whether a text is one rare word: who writes without capitals names a tool or a town so. */
export function isRareWord(text: string): boolean {
  return (
    /^\p{Ll}[\p{Ll}\p{N}.+#-]{2,20}$/u.test(text) &&
    !/(?:ing|ed|ly|s|ness|ful|able|ible)$/u.test(text) &&
    !commonWords.has(text) &&
    !adjectives.has(text)
  )
}

/** The words of an attribute in their usual order, without those that tell nothing: `command for the tests` is `tests command`. */
export function attributeOf(np: string | undefined): string | undefined {
  const turned = (np ?? '')
    .replace(/ (?:for|with|to|of|at|in|on) (?:me|us|here|home)$/iu, '')
    .replace(/^(.+?) (?:for|of|to) (?:my |our |the |a |an )?(.+)$/iu, '$2 $1')
  const words = turned.split(' ').filter((word) => word !== '' && !fillers.has(word.toLowerCase()))
  const name = words
    .slice(-6)
    .join(' ')
    .toLowerCase()
    .replace(/[.,;:!]+$/u, '')
    .replace(/'s (?=name$)/u, ' ')
  return name === '' || name.length > 60 || /[^\p{L}\p{N} '&./+#-]/u.test(name) ? undefined : name
}

const rest = regex(
  'isu',
)`(?:,? (?:so|because|since|but|now that|bc|in place of|instead of|which|who|whose|where|while|though|tho|if|please|pls|
  thanks|right|lol|haha|when|until|after|before|as (?:i|we|he|she|they|it|the|of|an?)|and (?:i|we|it|he|she|they|you|his|her|
  their|the|so|please|can|that|this|my|our|now|then|there|no|is|has|have|need|want|look|get|got|did|do|was|for|both|everyone|moving|going|
  loves|likes|hates|wants|needs|makes|keeps|lives|works|
  signs|sells|\p{L}+ed|\p{L}+ (?:is|are|was|has))|to (?:get|make|save|keep|avoid|see|be|have|do|go|work|put|let|give|pay|use|
  write|maintain|compare|submit|understand|improve|ensure|help|incorporate|reflect|show))\b| [-–—] | \().*$`

const chatter = regex('iu')`(?:[ ,](?:now|too|again|already|anyway|instead|here|there|then|currently|today|these days|for now|as well|
from now on|since|lately|only|please|thanks|finally|btw|myself|ourselves))+$`

/** The most words of an object. A longer one loses its last part: `9 a month for the gym with the sauna`. */
const mostWords = 9
const lastPart = / (?:and|with|for|from|as|doing|in|at|on|to|by) (?:(?! (?:and|with|for|from|as|doing|in|at|on|to|by) ).)*$/u

export function objectOf(text: string | undefined): string | undefined {
  const object = (text ?? '')
    .trim()
    .replace(rest, '')
    .replace(chatter, '')
    .replace(/^(?:(?:also|really|now|still|currently|mostly|always) )+/iu, '')
    .replace(/^(?:[Tt]he(?= \p{Ll})|the|[Aa]n?|[Mm]y|[Oo]ur) (?=\S)/u, '')
    .replace(/[.,;:! ]+$/u, '')
  const words = (figure.exec(object)?.[0] ?? object).split(' ')
  const short = (words.length > mostWords ? words.slice(0, mostWords).join(' ').replace(lastPart, '') : words.join(' ')).replace(
    / (?:and|or|but|yes|no|(?<! of )that)$/iu,
    '',
  )
  return /[\p{L}\p{N}]/u.test(short) ? short : undefined
}

/** A price or a time of the day at the head of an object, with what it is for: the words after it tell something else. */
const figure = regex(
  'iu',
)`^(?:(?:about |around |roughly )?(?:[€£$] ?\d[\d.,]*k?|\d[\d.,]*k? ?(?:€|£|\$|euros?|dollars?|pounds?|quid|bucks)(?!\p{L}))
(?:,? (?:an?|per|each|every|for an?|for the) \p{L}+)?|\d{1,2}[:.]\d\d(?: ?[ap]m)?(?= and | with | in the (?!morning|evening|afternoon)))`

/** Tells whether a text has a number, in figures or as its first word: `four days a week`. */
export function isNumbered(text: string): boolean {
  return /\d|^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) /iu.test(text)
}

export function firstWord(text: string): string {
  return text.split(' ', 1)[0] ?? ''
}

import { is, loose, type Said, sure, weak } from '../../facts/said.ts'
import { regex } from '../../word-lists.ts'
import { isPeople, relations } from '../facts/words.ts'
import {
  adjectives,
  attributeWords,
  beganVerbs,
  changeVerbs,
  dailyThings,
  endVerbs,
  evaluations,
  habitVerbs,
  noNoun,
  stativeVerbs,
} from './words.ts'
import {
  attributeOf,
  endsOf,
  firstWord,
  hasFirmValue,
  hasValue,
  isExact,
  isNumbered,
  isRareWord,
  objectOf,
  state,
  valued,
} from './parts.ts'
import { attributeKey } from './taken-state.ts'
import { isPersonsName, isRole, isSomebody, isThing, kinOf, titled } from './things.ts'
import { knownThingIn } from './values.ts'

const adverbs =
  '(?:(?:now|just|finally|recently|already|also|currently|always|usually|mostly|mainly|officially|really|only|both|all|since|still|' +
  'actually|fully|normally|generally|even) )*'
const adverbsFirst = new RegExp(`^${adverbs}`, 'iu')
const us = "(?:i|we|they)(?=[' ])(?:'ve|'re| have| are| had)? ?"
const toOn = '(?:to|into|onto|on to)'

/** Reads the first frame that fits. */
export function framedIn(text: string, isAhead: boolean): Said[] {
  const isNegative = /n't\b|\b(?:not|never|neither|nor)\b/iu.test(text)
  return (isNegative ? ended(text) : frameOf(text, isAhead ? doneFrames : frames)).filter(({ predicate }) => !readElsewhere.test(predicate))
}

/** Homes, work and the own name have readers of their own, which know when `work for` names no firm. */
const readElsewhere = regex('u')`^(?:(?:live|lives|living|work|works(?! at$)|moved|speak|speaks|love|like|hate) .*|.*(?:address|
phone number|birthday|e-?mail|time zone)|(?:name|moved to|likes|speak|number|age))$`

function frameOf(text: string, readers: readonly ((text: string) => Said[])[]): Said[] {
  for (const read of readers) {
    const found = read(text)
    if (found.length > 0) return found
  }
  return []
}

const swap = new RegExp(
  `^${us}${adverbs}(?:replaced|swapped|traded|exchanged|switched)(?: in| out)? (?<old>.{2,60}?)(?: in)? (?:with|for|by) (?<now>.{2,80})$`,
  'iu',
)
const succeeded = new RegExp(
  `^(?:.* that )?(?<now>.{2,60}?) (?:has |have )?${adverbs}(?:(?:replaced|replaces|took over from|taken over from|succeeded|succeeds|` +
    `superseded|took the ` +
    'place of) (?<old>.{2,50}?)(?: as (?<role>.{2,50}))?|(?:taken over|took over|stepped in|come in|came in) as (?<part>.{2,50}))$',
  'iu',
)

/** A command to use another thing of the same kind: `replace ESLint with Biome`. */
const told = regex('iu')`^(?:please )?(?:replace|swap(?: out)?|exchange) (?<old>[\p{L}\p{N}.+#-]+(?: v?\d\S*)?) (?:with|for|
by) (?<now>[\p{L}\p{N}.+#-]+(?: v?\d\S*)?)$`
const replacedBy = /^(?<old>.{2,50}?) (?:has been|is|was|have been) replaced (?:by|with) (?<now>.{2,60})$/iu

function replaced(text: string): Said[] {
  const passive = replacedBy.exec(text)?.groups
  if (passive !== undefined) return [...valued('has', passive['now'], { tense: 'past' }), ...endsOf(passive['old'])]
  const command = told.exec(text)?.groups
  const [was, now] = [command?.['old'], command?.['now']].map((thing = '') => knownThingIn(thing))
  if (command !== undefined && (was === undefined || was !== now)) return []
  const swapped = swap.exec(text)?.groups ?? command
  if (swapped !== undefined) return [...is('has', objectOf(swapped['now']), { tense: 'past' }), ...endsOf(swapped['old'])]
  const groups = succeeded.exec(text)?.groups
  return groups === undefined
    ? []
    : [...state(groups['role'] ?? groups['part'] ?? 'successor', groups['now'], { tense: 'past' }), ...endsOf(groups['old'])]
}

const rename = new RegExp(
  "^(?:(?:[Ii]|[Ww]e|[Tt]hey)(?:'ve| have)? ?(?:now |just |finally )?(?:renamed|rebranded|called|named) " +
    '(?<what>(?:the|our|my)(?: [\\p{Ll}-]+){1,3})|' +
    '(?<np>.{2,40}?) (?:has been|is|was|have been) (?:now )?(?:renamed|rebranded)) (?:(?:to|as|from .{2,30} to) )?(?<now>.{2,60})$',
  'u',
)

function renamed(text: string): Said[] {
  const groups = rename.exec(text)?.groups
  const what = attributeOf(groups?.['what'] ?? groups?.['np'])
  return what === undefined ? [] : is(`${what} name`, objectOf(groups?.['now']), { single: true, tense: 'past' })
}

const puts = new RegExp(
  `^(?:(?:the|my|our) [\\p{L} '-]{2,40}?|they|\\p{L}+)(?:'ve| have| has)? ?${adverbs}(?:put|moved|switched|changed|` +
    `transferred|assigned|upped) ` +
    `(?:me|us) (?:from .{2,40} )?(?:over )?(?:(?:to|into|onto|on to|on|at|in|as) )?(?<now>.{2,80})$`,
  'iu',
)

/** Reads the doings of others: `the surgery has moved me to losartan`. */
function putOn(text: string): Said[] {
  const now = puts.exec(text)?.groups?.['now']
  return now === undefined || /^(?:an? )?(?:lift|hand|hug|call|ring|break|hint|look|idea|chance|headache|scare|good|bad)\b/iu.test(now)
    ? []
    : valued(knownThingIn(now)?.endsWith(' pill') === true || /\d ?m[gl]\b/iu.test(now) ? 'takes' : 'was put on', now, {
        tense: 'past',
        confidence: weak,
      })
}

const past = new RegExp(`^(?:${us}${adverbs}|${adverbs})${endVerbs} (?<old>.{2,80})$`, 'iu')
const longer = regex('iu')`^(?:(?:(?:i|we)(?:'m|'re| am| are)?|(?<np>.{2,50}?) (?:is|are|has|does)(?:n't| not)?) |)(?:no longer|
not) (?:(?:in|at|on|with|have|has|own|use|do|a|an|the) )*(?<old>.{2,60}?)(?: any ?(?:more|longer))?$`
const anyMore = regex('iu')`^(?:i|we) (?:don't|do not|aren't|can't|never) (?:(?:have|use|eat|drink|own|do|go to|listen to|take|play|
watch|pay for|want) )?(?<old>.{2,60}?) any ?(?:more|longer)\b`
const isOver = regex('u')`^(?<old>(?:[Tt]he|[Mm]y|[Oo]ur) .{2,40}?|\p{Lu}[\p{L} ]{1,30}?) (?:is|are|was|were|has been|
have been) (?:\p{L}+ly )?(?:gone|over(?! the\b)|history|cancell?ed|dropped|scrapped|sold|closed|retired|ended)\b`
/** A sale of one of many ends nothing: `I sold a painting`. */
const indefinite = regex('iu')`^(?:an?|some|two|three|four|up|on|at|in|with|like|everything|the (?:price|ball|subject|idea|phone|
call|line|door|window|book|file|tab)|my (?:phone|keys|seat|bag|notice)|it|them|that|this|off|by|out|work|home|early|late|him|her|us|me|to|
for|my (?:tea|temper|mind|voice))\b`

function ended(text: string): Said[] {
  if (/\b(?:no longer|any ?more|any longer)\b/iu.test(text)) {
    const groups = (longer.exec(text) ?? anyMore.exec(text))?.groups
    const old = groups?.['old'] ?? ''
    const lost = /^(.{2,50}?) (?:isn't|aren't|is not|are not) (?:mine|ours) any ?(?:more|longer)$/iu.exec(text)?.[1]
    if (lost !== undefined) return endsOf(lost)
    if (groups?.['np'] !== undefined && /^(?:my|our) /iu.test(old)) return []
    return endsOf(/^(?:mine|ours)$/iu.test(old) ? groups?.['np'] : old.replace(/^\p{L}+ing (?:in |at |for )?/iu, ''))
  }
  const old = past.exec(text)?.groups?.['old']
  if (old !== undefined)
    return indefinite.test(old) || /\b(?:to|into|off|at) \S|\b(?:for|until|till) (?:lent|ramadan|now|today|a|the|this|\p{Lu})/iu.test(old)
      ? []
      : endsOf(old)
  return endsOf(isOver.exec(text)?.groups?.['old'])
}

const change = new RegExp(
  `^(?:${us}(?:has been )?|(?<np>.{2,60}?) (?:(?:has|have|is|are|was|were|gets?)(?: been)? ` +
    `)?)${adverbs}(?<verb>${changeVerbs})(?: (?<what>(?!to\\b|from\\b).{2,60}?))?` +
    `(?: from (?<old>.{1,50}?))?(?: over| up| down| across| back| out)? (?:${toOn}|(?<=(?:rescheduled|postponed|moved|` +
    `pushed|pushed back|set)) (?:for|at|on)) (?<now>.{1,90})$`,
  'iu',
)

function changed(text: string): Said[] {
  const groups = change.exec(text)?.groups
  // `My landlord raised the rent`: the rent has changed.
  const isDone = /^(?:my|our|they)\b/iu.test(groups?.['np'] ?? '') && /^(?:my|our|the) /iu.test(groups?.['what'] ?? '')
  const [np, now = ''] = [isDone ? undefined : groups?.['np'], groups?.['now']]
  if (groups === undefined || (np !== undefined && noNoun.has(firstWord(np).toLowerCase())) || idleChange.test(now)) return []
  // `Netflix raised its price`: somebody else's. `CI` and `standup` are the speaker's.
  const isOthers =
    np !== undefined &&
    (kinOf.test(`${np} `) ||
      np.split(' ').some((word) => relations.includes(word)) ||
      isSomebody(np) ||
      !isThing(np) ||
      (/^\p{Lu}\p{Ll}/u.test(np) && !/^(?:My|Our|The|All) /u.test(np) && !isAttribute(np)))
  if (isOthers) return []
  // `Put the third one under the pot` sets no value, `I put my lessons up to 38 euros` does.
  if (/^put$/iu.test(groups['verb'] ?? '') && !/\d/u.test(now)) return []
  const subject = np ?? groups['what']
  if (subject !== undefined)
    return [
      ...state(subject, now, { tense: 'past', valued: !/^(?:the|my|our)\b/iu.test(subject) || !moves.test(groups['verb'] ?? '') }),
      ...endsOf(groups['old']),
    ]
  const verb = (groups['verb'] ?? '').toLowerCase()
  const predicate = verb === 'moved' && knownThingIn(now) !== undefined ? 'switched to' : `${verb} to`
  const isOwn = /^(?:the|an?|my|our)\b/iu.test(now) && /^(?:switched|transferred|changed|migrated|promoted|reassigned)$/u.test(verb)
  return isOwn
    ? is(predicate, objectOf(now), { tense: 'past', confidence: weak })
    : [...valued(predicate, now, { tense: 'past' }), ...endsOf(groups['old'])]
}

/** `Standup` at the head of a sentence is no name. */
function isAttribute(np: string): boolean {
  return attributeKey(np.toLowerCase().split(' ').at(-1) ?? '')?.startsWith('own ') === true
}

/** Verbs after which any words may be the new value. */
const moves = regex('iu')`^(?:moved|switched|changed|migrated|rescheduled|postponed|pushed(?: back)?|renamed|rebranded|raised|lowered|
upgraded|bumped|extended|transferred|ported|put off|brought forward|put)$`

const idleChange = regex(
  'iu',
)`^(?:a halt|incorporate|include|allow|cover|reflect|improve|bed|sleep|work|school|see|get|be|do|have|make|the point|hell|me|us|it|
them|him|her|you|mind|that|this)\b`
const begun = new RegExp(`^(?:i|we)(?=[' ])(?:'ve| have)? ?${adverbs}(?<verb>${beganVerbs}) (?<now>.{2,90})$`, 'iu')

/** Things that one has got for a while. */
const passingThing = regex(
  'iu',
)`\b(?:deadline|meeting|interview|appointment|call|flight|exam|question|idea|problem|message|mail|reminder|anchor|set up)\b`

function began(text: string): Said[] {
  const groups = begun.exec(text)?.groups
  const now = groups?.['now'] ?? ''
  if (/^got$/iu.test(groups?.['verb'] ?? '') && passingThing.test(now)) return []
  if (/^joined$/iu.test(groups?.['verb'] ?? '') && /^\p{Lu}[\p{L}\p{N}&.-]*(?: \p{Lu}[\p{L}\p{N}&.-]*)*$/u.test(now))
    return is('works at', now, { tense: 'past', confidence: weak })
  const part = /^(?<who>\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?) as (?:my|our) (?:new )?(?<role>[\p{L} -]{2,30})$/u.exec(
    objectOf(now) ?? '',
  )?.groups
  if (part !== undefined) return state(part['role'], part['who'], { tense: 'past' })
  return /^\p{Ll}+ed\b|\bfor (?:lunch|dinner|coffee|drinks?|breakfast)\b/u.test(now)
    ? []
    : valued((groups?.['verb'] ?? '').toLowerCase(), now, { tense: 'past', confidence: weak })
}

/** A word after which a verb without an `s` may stand, and no noun: not `his own`, `my friend's rent`. */
const plural = /^(?!(?:his|its|this|is|was|as|has)$).*(?<!['’])s$|^(?:all|both)$/iu
const pronoun = new RegExp(`^(?:i|we)(?=[' ])(?:'(?:ve|m|re))? (?:(?:have|am|are|had)(?= ) )?(?:been )?${adverbs}`, 'iu')
const afterShort = /^(?:an?|the|on|at|in|now|called|named|still|my|our|\d|\p{Lu}|about|due(?! date)|set|with|every)/u

/** Reads `my X is Y`, `CI is on Node 22`, `our tests run on Jest`, `I drive a Kia`. */
function held(text: string): Said[] {
  const own = pronoun.exec(text)?.[0]
  if (own !== undefined)
    return /^(?:i|we)(?:'m|'re| am| are)\b|\bbeen\b/iu.test(own) ? beingIn(text.slice(own.length)) : habit('', text.slice(own.length))
  const words = text.split(' ')
  if (noNoun.has((words[0] ?? '').toLowerCase()) || /^(?:an?|two|three|both|some|most|many)$/iu.test(words[0] ?? '')) return []
  for (let at = 0; at < Math.min(words.length - 1, 9); at += 1) {
    const word = words[at] ?? ''
    const [np, rest] = [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')]
    if (at > 0 && /^(?:is|are)$/iu.test(word)) return isIn(np, rest)
    if (at > 0 && /^(?:has|have) been (?!\p{L}+(?:ed|en|ing|put|cut)\b)/iu.test(`${word} ${rest}`))
      return isIn(np, rest.slice('been '.length))
    if (
      at > 0 &&
      stativeVerbs.has(word.toLowerCase()) &&
      !/^(?:is|are) /iu.test(rest) &&
      (word.endsWith('s') || plural.test(words[at - 1] ?? ''))
    ) {
      const found = habit(np, words.slice(at).join(' '))
      if (found.length > 0) return found
    }
    const short = /^(.+?)(?:'s|(?<=s)')$/u.exec(word)?.[1]
    if (
      word.endsWith("'s") &&
      short !== undefined &&
      !noNoun.has(short.toLowerCase()) &&
      afterShort.test(rest) &&
      (/^(?:my|our|the) /iu.test(text) || !/^\p{Lu}/u.test(rest))
    )
      return isIn([...words.slice(0, at), short].join(' '), rest)
  }
  return []
}

const linked = new RegExp(
  '^(?:(?:called|named|out of|set to|set at|set for|on|at|in|with|by|from|to|for|due|due on|due by|known as|down to|up to|back ' +
    'to|back at|around|' +
    'about|based on|written in|built (?:with|in|on)|made (?:with|of)|kept for|under|as|through|via|over|to be) )+',
  'iu',
)
/** A product with its version, such as `Debian 12`. */
const known = /^\p{Lu}[\p{L}.+#-]* v?\d/u
const doings: Readonly<Record<string, string>> = { using: 'uses', studying: 'studies' }
const doing = /^(?:renting|staying|dating|eating|drinking|paying|teaching|charging|sharing|leasing|studying)$/iu

/** Reads the words after `I am`: `on the payments team`, `renting one bed on Calle Toledo`. */
function beingIn(text: string): Said[] {
  const [verb = '', ...more] = text.split(' ')
  if (/^\p{L}{2,}ing$/u.test(verb))
    return !doing.test(verb) && !(/^(?:running|using|working)$/iu.test(verb) && known.test(objectOf(more.join(' ')) ?? ''))
      ? []
      : valued(doings[verb.toLowerCase()] ?? `is ${verb.toLowerCase()}`, more.join(' '), { confidence: weak })
  const link = linked.exec(text)?.[0].trim() ?? ''
  const object = objectOf(text.slice(link.length))
  const isPlain = object !== undefined && posts.test(object)
  if (
    /^(?:|from|about|over|for|by|to|around|up to)$/iu.test(link) ||
    idiom.test(object ?? '') ||
    // A visit: `I am at my parents' for a week`.
    (/^at$/iu.test(link) && /['’]s?(?: |$)/u.test(object ?? '')) ||
    object === undefined ||
    adjectives.has(firstWord(object).toLowerCase()) ||
    !(isPlain || hasValue(object))
  )
    return []
  return is(`is ${link.toLowerCase()}`, object, { confidence: isPlain || isExact(object) || /\p{Lu}/u.test(object) ? weak : loose })
}

/** Where somebody is for long: on a team, in a ward. At a desk or on a dyke one is for an hour. */
export const posts =
  /(?:team|shift|squad|plan|ward|unit|staff|board|committee|payroll|list|crew|department|group|course|side|project|tribe|guild)$/iu
const idiom = regex(
  'iu',
)`^(?:step|page|chapter|hunt|lookout|cloud|diet|way|fence|road|edge|track|board|emotional|break|holiday|vacation|call|phone|
line|mood|middle|process|hospital|kitchen|car|garden|bed|rush|love|trouble|charge|house|same)\b`
const named = /^(?:(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2}$/u
/** `the opening is on Friday` tells of one day, and not of which. */
const oneDay = /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight)$/iu
const decided = regex('iu')`^(?:i|we|the team|they)(?:'re|'ve| are| have)? (?:now |finally |just )?(?:settled on|going with|go with|
went with|gone with|chose|chosen|picked|decided on|
opted for|sticking with) (?<now>.{2,50}?) (?:for|as) (?:the|our|my) (?<what>[\p{L} -]{2,40}?)(?: after all| in the end)?$`

/** Reads `we are going with blue for the jerseys`. */
function settled(text: string): Said[] {
  const groups = decided.exec(text)?.groups
  return state(groups?.['what'], groups?.['now'], {})
}

/** `the codename of our next app` */
const ofMine =
  /^(?:the |new |current )*([\p{L}-]+(?: (?!of|for|in|on|with|and|as)[\p{L}-]+)?) (?:of|for|in) ((?:my|our) [\p{L}' -]{2,40})$/iu

const role = /^(?:my|our) (?<role>[\p{L} -]{2,40}?)$/iu

/** Tells whether words after `is` name no value: a comparison, a goal, the charge of a phone, or how something is. */
function isIdle(link: string, object: string, rest: string): boolean {
  return (
    /^like\b/iu.test(object) ||
    (link === 'to' && !/\d/u.test(object)) ||
    (link === 'on' && /^\d+ ?%/u.test(object)) ||
    (adjectives.has(firstWord(object).toLowerCase()) && !/^an? /iu.test(rest) && !/\d|\p{Lu}/u.test(object) && object.split(' ').length > 2)
  )
}

/** Words that judge, where the value of a state stands. */
const judges = regex('iu')`^(?:\p{L}+ly )?\p{L}+(?:able|ible|ful|ous|less|ive|ing)$|^\p{L}+ly \p{Ll}+$|^(?:tough|rough|stressful|incorrect|
  correct|okay|rubbish|pointless|on the cards|(?:very|too|so|really|quite|rather|super) .+)(?:$| and )`

const inOther = / (?:that|said|says|like|who|which|and) (?:my|our) /iu

function isIn(before: string, after: string): Said[] {
  const [, own, whose] = ofMine.exec(before) ?? []
  // `he thinks that my shoe is a drum` is somebody else's clause.
  if (own === undefined && inOther.test(before)) return []
  const np = (own === undefined ? before.replace(/^.* (?=(?:my|our) )/iu, '') : `${whose} ${own}`).replace(/ (?:we|i|i'm) \p{L}+$/iu, '')
  const rest = after.replace(adverbsFirst, '')
  const part = role.exec(rest)?.groups?.['role']
  if (part !== undefined)
    return !/^(?:my|our)\b/iu.test(np) && isRole(part) && !/^(?:best|worst|biggest) |friend$/iu.test(part) && named.test(before.trim())
      ? state(part, before, {})
      : []
  if (/^(?:his|her|their|its|your|it|that)\b/iu.test(np) || kinOf.test(np) || noNoun.has(firstWord(np).toLowerCase())) return []
  const link = linked.exec(rest)?.[0].trim() ?? ''
  if (/^\p{Ll}+ing\b/u.test(rest) || (/^due/iu.test(link) && /^\p{Lu}\S+$/u.test(np))) return []
  // An adverb may be part of the value: `my command is just publish`.
  const object = objectOf(link === '' ? after.replace(/^(?:now|still|currently|always|usually) /iu, '') : rest.slice(link.length))
  const about = attributeOf(np)
  if (
    about === undefined ||
    object === undefined ||
    !isThing(about) ||
    noNoun.has(firstWord(object).toLowerCase()) ||
    isIdle(link, object, rest)
  )
    return []
  const last = about.split(' ').at(-1) ?? ''
  const isNow = link === '' && /^now (?!\p{L}+er\b)/iu.test(after)
  const isBare = !/^(?:an?|his|her|their|its|your|my|our|this|that|these|those|every|each|any|some|no|most|all)\b/iu.test(np)
  const isKnown = link === '' && isBare && attributeWords.has(last) && /^the /iu.test(np)
  const isOwn = /^(?:my|our)\b/iu.test(np) || dailyThings.test(np) || isNow || isKnown || / (?:for|with) (?:me|us)$/iu.test(after)
  const words = object.split(' ')
  const head = np.toLowerCase().split(' ').at(-1) ?? ''
  // `My son Ben is six` tells of Ben.
  if (head === 'family' || (/ \p{Lu}[\p{L}'-]+$/u.test(np) && relations.includes(np.split(' ').at(-2) ?? ''))) return []
  const isPerson = relations.includes(head) || relations.includes(head.replace(/s$/u, ''))
  // Who writes without capitals writes names so too.
  const isLower =
    /^(?:my|our)\b/u.test(np) &&
    !/^an? /u.test(after) &&
    !/\p{Lu}/u.test(after) &&
    words.length <= 3 &&
    !words.some((word) => adjectives.has(word))
  if (
    isPerson &&
    (!(named.test(object) || (isLower && words.length === 1 && knownThingIn(object) === undefined)) || isPeople(words[0] ?? ''))
  )
    return []
  const isPlain =
    words.length <= 7 &&
    (dailyThings.test(np) || isNow || isLower || about.split(' ').some((word) => attributeWords.has(word))) &&
    ![words[0], words.at(-1)].some((word = '') => evaluations.has(word.toLowerCase())) &&
    !words.every((word) => adjectives.has(word.toLowerCase())) &&
    !/^\p{L}+(?:ing|ed)$/u.test(words[0] ?? '')
  const isCalled =
    /\b(?:called|named|known as)\b/iu.test(link) &&
    (/^\p{Lu}/u.test(object) || isRareWord(object) || /^[\p{L}\p{N}]+[-_.][\p{L}\p{N}]/u.test(object))
  const isFirm = isOwn ? hasValue(object) : hasFirmValue(object) || (attributeWords.has(last) && hasValue(object))
  if (
    (!isFirm && !isCalled && !(isOwn && (isPlain || (isRareWord(object) && !isKnown && !evaluations.has(object))))) ||
    (!isOwn && (oneDay.test(object) || isPersonsName(np)))
  )
    return []
  if (isCalled) return is(`${about} name`, object, { single: true })
  // `My w8 is …`: who spells so is not read for sure.
  return is(about, object, {
    single: true,
    confidence: /\d/u.test(about) || judges.test(object) || /^\p{Ll}+ [24] \p{Ll}/u.test(object) ? loose : sure,
  })
}

const dayFirst = /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|weekday)/iu
/** `write everything in Neovim`, `give tutoring at 22` */
const placed = /^((?:\p{L}+ ){1,4})(in|on|with|at|under|by|through|via|as|to|from) (.+)$/u

/** Reads a verb and its object, with the words before it in the name of the attribute. */
function habit(np: string, text: string): Said[] {
  const [head = '', ...more] = text.split(' ')
  const verb = head.toLowerCase()
  if (!stativeVerbs.has(verb) || /^(?:his|her|their|its|your)\b/iu.test(np) || np.split(' ').some((word) => relations.includes(word)))
    return []
  if (/^(?:uses?|have|has)$/u.test(verb) && /^(?:mon|tues|wednes|thurs|fri|satur|sun)day/iu.test(more[0] ?? '')) return []
  const rest = more.join(' ').replace(/^(?:me|us) (?=\S)/iu, '')
  const link = linked.exec(rest)?.[0].trim() ?? ''
  if (/^(?:like|it|that|this|them)\b/iu.test(rest) || (np === '' && /^(?:watch|read|follow|answer|get|go|comes|happens)$/u.test(verb)))
    return []
  const [, first = '', place = '', value = ''] = link === '' ? (placed.exec(rest) ?? []) : []
  const about = np === '' ? '' : attributeOf(np)
  // `I start on 3 July`, `we keep Sunday free`: an event, and no state.
  const isPlan = np === '' && (/^(?:start|begin)$/u.test(verb) || (verb === 'share' && !/^\S+ \p{L}+ with /u.test(rest)))
  const isWhole = np === '' && /^(?:run|manage|own|lead|head|start)$/u.test(verb)
  if (isWhole && value !== '' && hasValue(value)) return is(`${verb}s`, objectOf(rest), { confidence: weak })
  if (value !== '' && hasValue(value) && !hasValue(first)) {
    const predicate = `${about ?? ''} ${verb} ${first.trim()} ${place}`.trim().toLowerCase()
    return about === undefined || (np !== '' && !isThing(about))
      ? []
      : is(predicate, objectOf(value), { confidence: isPlan || (!isExact(value) && dayFirst.test(value)) ? loose : weak })
  }
  const object = objectOf(rest.slice(link.length))
  if (object === undefined || about === undefined || noNoun.has(firstWord(object).toLowerCase()) || /^(?:was|were|just)\b/iu.test(object))
    return []
  if (
    about !== '' &&
    !/^(?:all |both )?(?:my|our) /iu.test(np) &&
    !hasFirmValue(object) &&
    !attributeWords.has(about.split(' ').at(-1) ?? '')
  )
    return []
  if (about !== '' && (!isThing(about) || (/^\p{Lu}\p{Ll}/u.test(np) && !/^(?:My|Our|The|All) /u.test(np)))) return []
  if (/^(?:do|does|sleep|sit)s?$/u.test(verb) && np === '') return []
  if (np === '' && /^(?:close|open|start|end|meet|finish)$/u.test(verb) && /^\d{1,2}(?:st|nd|rd|th)$|^the \d/u.test(object)) return []
  const isRare = isRareWord(object) && (link !== '' || /^(?:uses?|runs?|drives?|plays?|takes?|wears?|owns?)$/u.test(verb))
  if (!hasValue(object) && !isRare && (np !== '' || !habitVerbs.has(verb) || /^\p{L}+ing$/u.test(firstWord(object)))) return []
  if (np === '' && verb === 'eat' && knownThingIn(object) === 'diet') return is('diet', object.toLowerCase())
  const predicate = [about, verb, link.toLowerCase()].filter((part) => part !== '').join(' ')
  const isSure = !isPlan && (np === '' || isExact(object) || !/^(?:has|have|do|does|go|goes|gets?|gives?|keeps?)$/u.test(verb))
  return is(predicate, object, { single: np !== '' || isNumbered(object), confidence: !isSure ? loose : np === '' ? weak : sure })
}

/** The frames, in the order in which they are tried. Of a time ahead only those in the past tense are. */
const doneFrames = [settled, replaced, renamed, putOn, ended, changed, began, titled]
const note = regex('iu')`^(?:(?:my|our|the) )?(?<what>[\p{L}][\p{L} '-]{1,38}?) ?(?:[:→]|->) ?(?<now>\S.{0,50})$`

/** Reads notes without a verb: `editor: Zed`. */
function noted(text: string): Said[] {
  const groups = note.exec(text)?.groups
  const about = attributeOf(groups?.['what'])
  const last = about?.split(' ').at(-1) ?? ''
  if (about === undefined || about.split(' ').length > 3 || !(attributeWords.has(last) || relations.includes(last))) return []
  const object = objectOf(groups?.['now'])
  return object === undefined || object.split(' ').length > 4 || !hasValue(object)
    ? []
    : is(about, object, { single: true, confidence: weak })
}

const frames = [settled, replaced, renamed, putOn, ended, changed, began, held, titled, noted]

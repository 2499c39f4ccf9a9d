import { is, type Said, sure, weak } from '../../facts/said.ts'
import { adjectives, asking, beganVerbs, changeVerbs, endVerbs, fillers, noNoun, stativeVerbs, unsettled } from './words.ts'
import { valuesIn } from './values.ts'

/** An end names no predicate: facts/aimed-ends.ts finds what it is about. */
const anyPredicate = '*'

const adverbs =
  '(?:(?:now|just|finally|recently|already|also|currently|always|usually|mostly|mainly|officially|really|only|both|all|since|still|actually|always|these days|right|all|normally|generally|kind of|sort of) )*'
const lead =
  /^(?:(?:ok(?:ay)?|so|well|and|but|also|btw|hey|hi|hello|morning|anyway|actually|oh|right|news|update|yes|no|yeah|then|plus|sorry|haha|lol|hm+|ah|fyi|argh|ugh|wait|instead|because|since|that|now|hence|reminder|good news|bad news|big news|quick update|heads up|long story short|turns out|as you know|in the end|for context|for the record|by the way|in case you wonder)[,:!]* )+/iu
const pronoun = new RegExp(`^(?:i|we)(?:'(?:ve|m|re))? (?:(?:have|am|are|was|were|had)(?= ) )?(?:been )?${adverbs}`, 'iu')
const be = /^(?:is|are|was|were|'s)$/iu
const has = /^(?:has|have|had)$/iu
const auxiliaries = /^(?:is|are|has|have|was|were|got|gets|been|just|now|finally|recently|all|both|also|had|officially)$/iu
const linked =
  /^(?:(?:called|named|set to|set at|set for|on|at|in|with|by|from|to|for|due|due on|due by|known as|down to|up to|back to|back at|around|about|based on|written in|built (?:with|in|on)|made (?:with|of)) )+/iu
const cut = new RegExp(
  String.raw`(?:,? (?:so|because|since|but|which|who|whose|where|while|though|tho|if|please|pls|thanks|right|lol|haha|as (?:i|we|he|she|they|it|the|of|an?)\b|and (?:i|we|it|he|she|they|you|the|so|please|can|that|this|my|our|now|then|there|no|is|has|have|need|want|look|get|got|did|do|was|for)\b|to (?:get|make|save|keep|avoid|see|be|have|do|go|work|put|let|give)\b|when\b|until\b|after\b|before\b)\b| [-–—] | \().*$`,
  'isu',
)
const trailing =
  /(?:[ ,](?:now|too|again|already|anyway|instead|here|there|then|currently|today|these days|for now|at the moment|as well|as of (?:now|today|monday)|from now on|from now|since|then|everywhere|already|only|please|pls|thanks|yay|finally|actually|by the way|btw))+$/iu

/** A clause as the open reader gets it. */
export interface OpenClause {
  /** Without the times at its ends. */
  readonly core: string
  /** True when its time lies ahead. */
  readonly isAhead: boolean
  /** True when it tells an end. */
  readonly until: boolean
}

/**
 * Reads a state that no other reader knows, at the attribute as it was said: `our deploy branch is release`, `CI is on Node
 * 22`, `we moved the suite to Vitest`, `we dropped Redis`. It needs a plain statement with a value: a number, a name, a
 * known thing or a thing of the speaker's.
 */
export function openStates({ core, isAhead, until }: OpenClause): Said[] {
  const text = core.replace(lead, '').replace(trailing, '')
  if (text.length < 4 || text.length > 200 || isAhead || unsettled.test(text)) return []
  const told = told1(text)
  return until ? told.filter(({ says }) => says === 'is').map((one) => ({ ...one, passing: true })) : told
}

function told1(text: string): Said[] {
  const ordered = commanded(text)
  if (ordered.length > 0) return ordered
  if (asking.test(text)) return []
  const [kept, instead] = apartFrom(text)
  const said = statedIn(kept)
  return instead === undefined || said.length === 0 ? said : [...said, ...endOf(instead)]
}

/** Splits `rooibos instead of coffee` from the thing that it replaced. */
function apartFrom(text: string): [kept: string, instead: string | undefined] {
  const found = /^(.{3,}?),? (?:instead of|rather than|in place of) (.+)$/iu.exec(text)
  return found === null ? [text, undefined] : [found[1] ?? '', found[2]]
}

function statedIn(text: string): Said[] {
  return firstOf([replaced, ended, changed, began, held, counted, titled], text)
}

function firstOf(readers: readonly ((text: string) => Said[])[], text: string): Said[] {
  for (const read of readers) {
    const found = read(text)
    if (found.length > 0) return found
  }
  return []
}

const callMe = /^(?:please )?(?:you can |just |do )?call me (?<name>\S+(?: \S+){0,3})$/iu
const useFor =
  /^(?:please )?(?:use|take|go with|put|write|sign) (?<what>.{2,60}?) (?:for|in|as|on) (?:the |my |our |all |any )?(?<purpose>.{2,40})$/iu

/** Reads wishes that set a state: `call me Max`, `use Biome for formatting`. */
function commanded(text: string): Said[] {
  const name = callMe.exec(text)?.groups?.['name']
  if (name !== undefined) return is('likes to be called', objectOf(name), { single: true })
  const used = useFor.exec(text)?.groups
  const [purpose, what] = [attributeOf(used?.['purpose'] ?? ''), objectOf(used?.['what'] ?? '')]
  return purpose === undefined || what === undefined || !hasValue(what) ? [] : is(purpose, what, { single: true, confidence: weak })
}

const swap = new RegExp(
  `^(?:i|we)(?:'ve| have)? ?${adverbs}(?:replaced|swapped|traded|exchanged|switched)(?: in| out)? (?<old>.{2,60}?)(?: in)? (?:with|for|by) (?<now>.{2,80})$`,
  'iu',
)
const succeeded = new RegExp(
  `^(?<now>.{2,60}?) (?:has |have )?${adverbs}(?:replaced|replaces|took over from|taken over from|succeeded|succeeds|superseded|took the place of|pushed) (?<old>.{2,50}?)(?: as (?<role>.{2,50})| off .*| from .*)?$`,
  'iu',
)
const tookOver = new RegExp(
  `^(?<now>.{2,60}?) (?:has |have )?${adverbs}(?:taken over|took over|stepped in|come in|came in)(?: as (?<role>.{2,50}))?$`,
  'iu',
)

function replaced(text: string): Said[] {
  const groups = (swap.exec(text) ?? succeeded.exec(text) ?? tookOver.exec(text))?.groups
  const now = objectOf(groups?.['now'] ?? '')
  if (groups === undefined || now === undefined || noNoun.has(firstWord(now))) return []
  const predicate = attributeOf(groups['role'] ?? '') ?? (swap.test(text) ? 'has' : 'took over')
  return [...is(predicate, now, { tense: 'past', single: groups['role'] !== undefined }), ...endOf(groups['old'])]
}

const gone = new RegExp(`^(?:(?:i|we|they)(?:'ve| have)? ?${adverbs}|${adverbs})${endVerbs} (?<old>.{2,80})$`, 'iu')
const longer =
  /^(?:(?:i|we)(?:'m|'re| am| are)?|(?<np>.{2,50}?) (?:is|are|has|does)(?:n't| not)?) (?:no longer|not) (?:in |at |on |with |have |has |own |use |do |a |an |the )*(?<old>.{2,60}?)(?: any ?(?:more|longer))?$/iu
const anyMore =
  /^(?:i|we) (?:don't|do not|aren't|can't|never) (?:have |use |eat |drink |own |do |go to |listen to |take |play |watch |pay for |want )?(?<old>.{2,60}?) (?:any ?(?:more|longer)|at all)\b/iu
const isOver =
  /^(?<old>(?:the|my|our) .{2,40}?|\p{Lu}[\p{L} ]{1,30}?) (?:is|are|was|were|has been|have been|got) (?:\p{L}+ly )?(?:gone|over|history|off|cancell?ed|out|dropped|scrapped|sold|closed|retired|dead|ended|done for)\b/iu

function ended(text: string): Said[] {
  if (/\b(?:no longer|any ?more|any longer|at all)\b/iu.test(text)) {
    const groups = (longer.exec(text) ?? anyMore.exec(text))?.groups
    const old = groups?.['old'] ?? ''
    if (/^(?:mine|ours)$/iu.test(old)) return endOf(groups?.['np'])
    return endOf(old.replace(/^\p{L}+ing (?:in |at |for )?/iu, ''))
  }
  const past = gone.exec(text)?.groups?.['old']
  // A sale of one of many ends nothing: `I sold a painting`.
  if (past !== undefined && !/^(?:an?|some|two|three|it|them|that|this|off|by|out|work|home|early|late|him|her|us|me|to)\b/iu.test(past))
    return endOf(past)
  return endOf(isOver.exec(text)?.groups?.['old'])
}

const change = new RegExp(
  `^(?:(?:i|we|they)(?:'ve|'re| have| are| had)? ?|(?<np>.{2,60}?) (?:(?:has|have|is|are|was|were|got|gets)(?: been)? )?)${adverbs}` +
    `(?<verb>${changeVerbs})(?: (?<what>(?!to\\b|from\\b).{2,60}?))?(?: from (?<old>.{1,50}?))?(?: over| up| down| across| back| out)? (?:to|into|onto|as|for|at) (?<now>.{1,90})$`,
  'iu',
)
const renamed = new RegExp(
  `^(?:(?:i|we|they)(?:'ve| have)? ?|(?<np>.{2,40}?) (?:has|have|is|was|got|were)(?: been)? )${adverbs}(?:renamed|rebranded|christened)(?: (?<what>(?:the|our|my|it)(?: [\\p{Ll}-]+){0,3}))? (?:(?:to|as|from .{2,30} to) )?(?<now>.{2,60})$`,
  'iu',
)

function changed(text: string): Said[] {
  const rename = renamed.exec(text)?.groups
  if (rename !== undefined) {
    const what = attributeOf(rename['what'] ?? rename['np'] ?? '')
    return is(`${what === undefined ? '' : `${what} `}name`, objectOf(rename['now'] ?? ''), { single: true, tense: 'past' })
  }
  const groups = change.exec(text)?.groups
  const now = objectOf(groups?.['now'] ?? '')
  if (
    groups === undefined ||
    now === undefined ||
    noNoun.has(firstWord(now)) ||
    /^(?:a halt|bed|sleep|work|school|see|get|be|do|have|make)\b/iu.test(now)
  )
    return []
  const about = attributeOf(groups['np'] ?? '') ?? attributeOf(groups['what'] ?? '')
  const np = groups['np']
  if (np !== undefined && noNoun.has(firstWord(np))) return []
  if (about === undefined && !hasValue(now)) return []
  return [...is(about ?? 'moved to', now, { single: about !== undefined, tense: 'past' }), ...endOf(groups['old'])]
}

const begun = new RegExp(`^(?:i|we)(?:'ve| have)? ?${adverbs}(?<verb>${beganVerbs}) (?<now>.{2,90})$`, 'iu')

function began(text: string): Said[] {
  const groups = begun.exec(text)?.groups
  const now = objectOf(groups?.['now'] ?? '')
  if (groups === undefined || now === undefined || !hasValue(now) || noNoun.has(firstWord(now))) return []
  return is((groups['verb'] ?? '').toLowerCase(), now, { tense: 'past', confidence: weak })
}

/** Reads `my X is Y`, `CI is on Node 22`, `our tests run on Jest`, `I drive a Kia`. */
function held(text: string): Said[] {
  const own = pronoun.exec(text)?.[0]
  const words = text.split(' ')
  if (own !== undefined) {
    const rest = text.slice(own.length)
    if (/^(?:i|we)(?:'m|'re| am| are)\b/iu.test(own)) return beingIn(rest)
    return verbed('', rest)
  }
  for (let at = 1; at < Math.min(words.length - 1, 9); at += 1) {
    const word = words[at] ?? ''
    const np = words.slice(0, at).join(' ')
    const rest = words.slice(at + 1).join(' ')
    if (noNoun.has(firstWord(np).toLowerCase())) return []
    if (be.test(word) && !/^(?:was|were)$/iu.test(word)) return isIn(np, rest)
    if (stativeVerbs.has(word.toLowerCase()) && at > 0 && (word.endsWith('s') || /s$|^(?:all|both)$/iu.test(words[at - 1] ?? ''))) {
      const found = verbed(np, words.slice(at).join(' '))
      if (found.length > 0) return found
    }
    if (has.test(word) || auxiliaries.test(word)) continue
    const short = /^(.+)'s$/u.exec(word)?.[1]
    if (short !== undefined && /^(?:an?|the|on|at|in|now|called|named|still|my|our|\d|\p{Lu}|about|due|set|with)/u.test(rest))
      return isIn([...words.slice(0, at), short].join(' '), rest)
  }
  const short = /^(\S+)'s$/u.exec(words[0] ?? '')?.[1]
  if (short !== undefined && !noNoun.has(short.toLowerCase()) && /^(?:an?|the|on|at|in|now|called|my|our|\d|\p{Lu})/u.test(words[1] ?? ''))
    return isIn(short, words.slice(1).join(' '))
  return []
}

/** Reads the words after `I am`: `on the payments team`, `at Halden Labs`. */
function beingIn(text: string): Said[] {
  const rest = text.replace(new RegExp(`^${adverbs}`, 'iu'), '')
  const [verb = '', ...more] = rest.split(' ')
  if (/^\p{L}{2,}ing$/u.test(verb)) {
    const object = objectOf(more.join(' '))
    return object !== undefined &&
      hasValue(object) &&
      !/^(?:trying|looking|getting|having|going|doing|making|writing|working|using|asking|planning|preparing|thinking|wondering|calling|sending|waiting)$/iu.test(
        verb,
      )
      ? is(`is ${verb.toLowerCase()}`, object, { confidence: weak })
      : []
  }
  const link = linked.exec(rest)?.[0].trim() ?? ''
  const object = objectOf(rest.slice(link.length).trim())
  if (object === undefined || (!hasValue(object) && link === '') || adjectives.has(firstWord(object).toLowerCase())) return []
  return is(link === '' ? 'is' : `is ${link.toLowerCase()}`, object, { confidence: weak, single: link !== '' })
}

const role = /^(?:now |currently |still )?(?:my|our) (?<role>[\p{L} -]{2,40}?)(?: now)?$/iu

function isIn(np: string, text: string): Said[] {
  const rest = text.replace(new RegExp(`^${adverbs}`, 'iu'), '')
  const part = role.exec(rest)?.groups?.['role']
  if (part !== undefined && !/^(?:my|our)\b/iu.test(np)) {
    const name = attributeOf(part)
    return name === undefined || noNoun.has(firstWord(np).toLowerCase()) ? [] : is(name, objectOf(np), { single: true })
  }
  const about = attributeOf(np)
  const link = linked.exec(rest)?.[0].trim() ?? ''
  const object = objectOf(rest.slice(link.length).trim())
  const isOwn = /^(?:my|our)\b/iu.test(np)
  if (about === undefined || object === undefined || noNoun.has(firstWord(object).toLowerCase())) return []
  const isPlain =
    !adjectives.has(firstWord(object).toLowerCase()) &&
    !/^(?:\p{L}+ing|\p{L}+ed)$/u.test(firstWord(object)) &&
    object.split(' ').length <= 7
  if (!(hasValue(object) || (isOwn && isPlain))) return []
  return is(/\b(?:called|named|known as)\b/iu.test(link) ? `${about} name` : about, object, { single: true })
}

/** Reads a verb and its object, with the words before it in the name of the attribute. */
function verbed(np: string, text: string): Said[] {
  const [verb = '', ...more] = text.split(' ')
  if (!stativeVerbs.has(verb.toLowerCase())) return []
  const rest = more.join(' ')
  const link = linked.exec(rest)?.[0].trim() ?? /^(?:through|under|as|over|via)\b/iu.exec(rest)?.[0] ?? ''
  const object = objectOf(rest.slice(link.length).trim())
  const about = np === '' ? '' : attributeOf(np)
  if (object === undefined || about === undefined || noNoun.has(firstWord(object).toLowerCase())) return []
  if (!hasValue(object) && (np !== '' || /^(?:need|want|have|get|do|go)s?$/iu.test(verb))) return []
  const predicate = [about, verb.toLowerCase(), link.toLowerCase()].filter((part) => part !== '').join(' ')
  return is(predicate, object, { single: np !== '' || /\d/u.test(object), confidence: np === '' ? weak : sure })
}

const count =
  /^(?:i|we)(?:'ve| have)? ?(?<verb>(?:\p{L}+ ){1,3}?)(?<number>\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|a hundred)(?<unit>(?:[ -]\p{L}+){0,4})/iu

/** Reads `I've completed 15 problems`: a number of things. */
function counted(text: string): Said[] {
  const groups = count.exec(text)?.groups
  const unit = groups?.['unit']?.trim() ?? ''
  const verb = groups?.['verb']?.trim().toLowerCase() ?? ''
  if (groups === undefined || unit === '' || asking.test(verb) || noNoun.has(firstWord(unit))) return []
  return is(verb, `${groups['number'] ?? ''} ${unit}`, { confidence: weak })
}

const title =
  /^(?:my|our) (?<role>(?:\p{Ll}[\p{Ll}-]*(?:'s)? ){1,3})(?<name>(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?=$| [\p{Ll}])/u

/** Reads `my niece Pia …`: a person or a thing with its name. */
function titled(text: string): Said[] {
  const groups = title.exec(text)?.groups
  const about = attributeOf(groups?.['role'] ?? '')
  return about === undefined ? [] : is(about, groups?.['name'], { confidence: weak })
}

function endOf(text: string | undefined): Said[] {
  const object = text === undefined ? undefined : objectOf(text)
  const topic =
    object
      ?.split(' ')
      .filter((word) => !fillers.has(word.toLowerCase()))
      .slice(0, 4)
      .join(' ') ?? ''
  return topic.length < 2 || noNoun.has(topic.toLowerCase())
    ? []
    : [{ says: 'ends', predicate: anyPredicate, object: topic, tense: 'past', confidence: sure }]
}

function hasValue(text: string): boolean {
  return valuesIn(`x ${text}`).length > 0
}

/** The words of an attribute in their usual order, without those that tell nothing: `command for the tests` is `tests command`. */
function attributeOf(np: string): string | undefined {
  const turned = np
    .replace(/^(.+?) (?:for|of|to) (?:my |our |the |a |an )?(?!me$|us$)(.+)$/iu, '$2 $1')
    .replace(/ (?:for|with|to|of|at|in|on) (?:me|us|here|home)$/iu, '')
  const words = turned.split(' ').filter((word) => word !== '' && !fillers.has(word.toLowerCase()))
  const name = words
    .slice(-6)
    .join(' ')
    .toLowerCase()
    .replace(/[.,;:!]+$/u, '')
  return name === '' || name.length > 60 || /[^\p{L}\p{N} '&./+#-]/u.test(name) ? undefined : name
}

function objectOf(text: string): string | undefined {
  const object = text
    .replace(cut, '')
    .replace(trailing, '')
    .replace(new RegExp(`^${adverbs}`, 'iu'), '')
    .replace(/^(?:the|an?|my|our) (?=\S)/iu, '')
    .replace(/[.,;:! ]+$/u, '')
  const words = object.split(' ')
  const short = words.length > 12 ? words.slice(0, 12).join(' ') : object
  return short === '' || !/[\p{L}\p{N}]/u.test(short) ? undefined : short
}

function firstWord(text: string): string {
  return text.split(' ', 1)[0] ?? ''
}

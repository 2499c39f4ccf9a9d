import { matchesOf } from '../../../messages/matches-of.ts'
import { askedToForget } from '../../../models/writer.ts'
import { masked } from '../../facts/reading.ts'
import { everyPredicate, is, type Said, sure } from '../../facts/said.ts'
import { isTool } from '../facts/kinds/tool-names.ts'
import { topicsIn } from './topics.ts'
import { regex, source } from '../../word-lists.ts'

/** A command, by its place in a text, and the facts that it gives. */
export interface Request {
  readonly from: number
  readonly to: number
  readonly said: readonly Said[]
}

const hums = source`(?:(?:ok|okay|so|and|but|oh|well|actually|sorry|also|hm+|um|on second thoughts?|wait|no|yes|now|then|from now on|
  please|pls)[,.…]{0,3} ){0,4}`
const mayAsk = "(?:(?:can|could|would|will) you |(?:i'd like|i want|i would like|i need) you to |you (?:can|may) |feel free to )?"
const start = `(?<=^|[,;–—] |\\b(?:so|and|but) )${hums}${mayAsk}(?:(?:now|just|please|pls) ){0,2}`
const topic = '(?<topic>[^.,;:!?\u0001]{1,80}?)'
const end = '(?=[.,;:!?]|$| (?:if|unless|when|because|since|as|so|but|for now)\\b)'
const mine = '(?=(?:my|our) )'
const time = '(?: (?:yesterday|earlier|before|today|last \\p{L}+|just now))?'
const amount =
  '(?:what|whatever|everything|anything|all(?: that)?|(?:all )?the (?:things?|stuff|bits?|part)|(?:all )?(?:the |your )?memor(?:y|ies))'
const about = `${time} (?:about|regarding|on|concerning|of) ${topic}`
const said = `${amount}(?: that)? (?:i|we)(?:'ve| have)?(?: just| ever| already)? (?:said|told you|mentioned|wrote|shared|typed)${about}`
const known = `${amount}(?: that)?(?: you(?:'ve| have)? (?:know|have|remember|stored?|saved?|noted?|kept|keep|wrote))?${about}`
const store = '(?:from|in|out of) (?:your |the )?(?:long-term )?(?:memory|memories|notes|records|files)'
const dropped = '(?:forget|ignore|disregard|scratch|strike|never ?mind|delete|erase|remove|wipe|unlearn)'
const not = source`(?:don't|do not|never|stop|(?:i )?(?:don't|do not) want you to|i'd rather you didn't|i would rather you didn't|
  (?:you )?(?:don't|do not) (?:need|have) to|(?:there is |there's )?no need to)`
const remembering = '(?:remember|remembering|store|storing|save|saving|memorize|memorise|keep|keeping)'
const event = '(?:appointment|meeting|plan|trip|idea|deadline|booking|reservation|date|order|visit|class|call)s?'

/** Things of a piece of work at hand, which a person may ask to leave out of account. */
const ofWork = regex('iu')`\b(?:typos?|spelling|grammar|accent|questions?|messages?|requests?|mistakes?|errors?|comments?|instructions?|
  tone|changes?|files?|drafts?|documents?|progress|paragraphs?|lines?|list|results?|input|prompts?|rows?|warnings?|yet)\b`

const forgetting = [
  `(?:${dropped}|${not} ${remembering}) ${said}`,
  `(?:forget|delete|erase|remove|wipe|unlearn|${not} ${remembering}) ${known}`,
  `forget (?:about )?${mine}${topic}`,
  `forget (?:about )?(?=(?:who|what|where|when|how(?: old)?) (?:i|we|my|our) )${topic}`,
  `forget (?=(?:the fact )?that (?:i|i'm|i've|im|we|we're|my|our) )${topic}`,
  `(?:delete|erase|remove|wipe|clear) ${mine}${topic} ${store}`,
  `(?:ignore|disregard|scratch|strike) ${mine}${topic}`,
  `(?:disregard|scratch|strike) (?=the [^.,;:!?]{2,40} ${event}${end})${topic}`,
  `${not} ${remembering} ${mine}${topic}`,
  `i (?:don't|do not) want ${mine}${topic} (?:remembered|stored|saved|kept)`,
].map((form) => new RegExp(`${start}${form}(?:,? (?:please|pls))?${end}`, 'giu'))

const all = regex('giu')`${start}(?:forget|delete|erase|wipe) (?:everything|all)(?: that)?(?: (?:you (?:know|have|remember|stored)|
  i(?:'ve| have)? (?:said|told you)))?(?: (?:about|on) (?:me|us))?(?=[.,!?]|$)`

const using = [
  `${start}(?:stop|quit) using ${topic}(?: now)?${end}`,
  `${start}(?:don't|do not) use ${topic} any ?(?:more|longer)${end}`,
  `(?<=^|, )(?:the )?${topic} (?:is|are)(?:n't| not| no longer) (?:used|in use)(?: any ?more)?${end}`,
].map((form) => new RegExp(form, 'giu'))
const isOut = /^([^\s.,;:!?]{2,30}) is out(?=[.,;!]?$|, )/giu

const changed = regex('giu')`${start}(?:change|update|set|switch) (?:my|our) ([\p{L}][\p{L} -]{1,40}?)(?: from ([^;:!?]{1,40}?))? to ([^
  ;:!?]{1,80}?)(?:,? please)?[.!?]*$`
const noState = regex('iu')`\b(?:mind|alarm|timer|reminder|(?<!job )title|background|theme|text|essay|cv|resume|code|function|paragraph|
  sentence|letter|tune|script|query|file|table|slide|font|colou?r|flight|booking|reservation|appointment|order)\b`
const noValue = /^(?:it|this|that|something|anything|be|have|use|make|a|an|the|what|one|another)\b/iu

/** Words before a command in its sentence: somebody else says it, or it depends on something. */
const notOwn = regex('iu')`\b(?:said|says|say|saying|told|tells?|asked|asks|wrote|writes|if|unless|when|whenever|suppose|imagine|wish|
  whether|should|never|not|don't)\b|:`
const isConditional = /^ (?:if|unless|when)\b/iu

/** Returns the commands of a sentence: `forget what I said about …`, `stop using …`, `change my … to …`. */
export function requestsIn(text: string, isQuestion: boolean): Request[] {
  if (text.length > 400 || !commands.test(text)) return []
  const found = [
    ...forgetting.flatMap((form) => placesOf(form, text, (match) => forgotten(match.groups?.['topic'] ?? '', ofWork))),
    ...placesOf(all, text, () => ends(askedToForget, ['everything'])),
    ...using.flatMap((form) => placesOf(form, text, (match) => ends(everyPredicate, topicsIn(match.groups?.['topic'] ?? '')))),
    ...placesOf(isOut, text, ([, name = '']) => (isTool(name) ? ends(everyPredicate, [name]) : [])),
    ...placesOf(changed, text, ([, what = '', from, to = '']) => put(what, from, to)),
  ].filter(({ from }) => !isQuestion || polite.test(text.slice(from)))
  return found
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .reduce<Request[]>((kept, one) => (one.from < (kept.at(-1)?.to ?? 0) ? kept : [...kept, one]), [])
}

const commands = regex('iu')`\b(?:forget|ignore|disregard|scratch|strike|mind|delete|erase|remove|wipe|unlearn|clear|remember\p{L}*|
  stor(?:e|ed|ing)|sav(?:e|ed|ing)|memori[sz]e|keep|kept|using|used?|out|change|update|set|switch)\b`
const polite = new RegExp(`^${hums}(?:can|could|would|will) you `, 'iu')

function placesOf(form: RegExp, text: string, read: (match: RegExpExecArray) => Said[]): Request[] {
  return matchesOf(text, form).flatMap((match) => {
    const [from, to] = [match.index, match.index + match[0].length]
    if (notOwn.test(text.slice(0, from)) || isConditional.test(text.slice(to))) return []
    const facts = read(match)
    return facts.length === 0 ? [] : [{ from, to, said: facts }]
  })
}

function forgotten(words: string, not: RegExp): Said[] {
  return not.test(words) ? [] : ends(askedToForget, topicsIn(words))
}

function ends(predicate: string, topics: readonly string[]): Said[] {
  return topics.map((object) => ({ says: 'ends', predicate, object, tense: 'present', confidence: sure }))
}

function put(what: string, from: string | undefined, to: string): Said[] {
  if (noState.test(what) || noValue.test(to) || to.includes(masked) || what.split(' ').length > 3) return []
  return is(what.toLowerCase(), to, { single: true, ...(from === undefined ? {} : { instead: from }) })
}

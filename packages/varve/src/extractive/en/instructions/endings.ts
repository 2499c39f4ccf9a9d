import type { InstructionEndings } from '../../instructions/instruction-endings.ts'
import { expanded } from '../../instructions/templates.ts'
import { source, wordSet } from '../../word-lists.ts'
import { parts } from './words.ts'

function pattern(source: string, flags = 'iu'): RegExp {
  return new RegExp(expanded(source, { ...parts, ...more }), flags)
}

const more = {
  forget: '(?:forget|ignore|disregard|drop|scrap|undo|cancel|never ?mind)',
  rule: '(?:thing|rule|preference|instruction)',
  said: '(?:said|told you|asked|wrote|wanted|mentioned)(?: (?:earlier|before))?',
  allowing: '(?:you can|you may|you could|feel free to)',
  denying: "you (?:don't|do not|no longer|needn't|need not)",
  answer: '(?:answers?|repl(?:y|ies)|responses?|explanations?)',
  tone: '(?:tone|style|register|language)',
}

function stem(word: string): string {
  if (word.length < 4) return word
  const base = word.replace(/ies$/u, 'y').replace(/(?:'s|s|ing|ed)$/u, '')
  return base.replace(/e$/u, '')
}

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stem))
}

/** Matches `short answers`, `answers that are short` and `be short`. */
function thingThatIs(thing: string, adjectives: string): RegExp {
  return pattern(source`\b(?:${adjectives})\b,?[^.;!?]{0,30}\b${thing}\b|\b${thing}\b[^.;!?]{0,40}\b(?:${adjectives})\b|\bbe (?:(?:more|
    very|as|so) )?(?:${adjectives})\b`)
}

export const instructionEndings: InstructionEndings = {
  forgets: pattern(source`^{freed}{forget} (?:about )?(?:everything |all |anything )?(?:(?:(?:what|that) )?(?:i|we) {said} (?:about|on|
    regarding|you to)|(?:my|the|that|all) (?:(?:earlier|previous|old|last|other) )?{rule}s? (?:about|on|for|to)|(?:my|the|
    that)(?= [^.]{1,60} {rule}[.!]*$)) (?<subject>[^.;!?]{2,120}?)(?: {rule})?[.!]*$`),
  relieves: pattern(source`^(?:{allowing}\b|{denying}\b|(?:there is |there's )?no (?:longer any )?need\b|i no longer\b|i (?:don't|
    do not) (?:need|want)\b.* {anyMore}[.!]*$)`),
  isNegative: pattern(source`^(?:{lasting},? )?(?:(?:please|also|and|{allowing}|now|you should|you must|i want you to|just|remember to|
    make sure you) )*(?:never|{dont}|(?:stop|quit)(?! (?:skipping|avoiding|omitting|leaving out)\b)|no|avoid|without|skip|drop|lose|
    {denying}|leave\b.*\bout\b|leave out|there(?: is|'s) no|i (?:don't|do not|no longer|hate|dislike|can't stand))\b`),
  scope: pattern(
    '(?:^|[,.] | )(?:when|whenever|if|unless|every time|each time|any ?time|for (?!me\\b|now\\b)) ?[^,.;]{2,120}|' +
      ' in (?!{place}\\b)(?:[\\p{L}-]+ )?[\\p{L}-]+s\\b',
    'giu',
  ),
  idle: pattern('\\b(?:an?|the|please|always|again|also|just|{lasting}|you can|i want you to)\\b(?! and\\b)', 'giu'),
  fillers: wordSet(`a an the i you me my mine your we us our it is are be to of in on at as with and or but so that which please always
    never only just don't do not dont no stop quit avoid without skip drop leave out can could should must want would like need prefer may
    again any more anymore longer now from on going forward future henceforth default all every each use using uses add adding include
    including show showing give giving write writing put putting provide providing have having suggest suggesting recommend recommending
    offer offering cite citing end start begin ending starting beginning make making keep keeping get getting thing things much many
    really very also you'd i'd won't doesn't needn't ever free feel skipping avoiding omitting answering answer answers reply replies
    replying response responses respond same instead rather too when`),
  stem,
  values: [
    pattern(source`\b(?:call(?:ing)? me|address(?:ing)? me as|refer(?:ring)? to me as) (?<value>{name}?)(?=[.,;!]|$| (?:from|instead|
      again|now|any ?more|please|in)\b)`),
    pattern('\\bmy pronouns are (?<value>[\\p{L}/]{2,12})'),
    pattern(source`(?:^|[,.] |\b(?:always|please|let's|on|can|to|only|stop|not|never|{dont}) )(?:answer|reply|respond|write|speak|talk|
      chat|communicate)(?:ing)?(?: (?:to|with) me| back)? (?:only )?(?:in )?(?:simple |plain )?(?<value>{language})\b`),
  ],
  form: pattern(source`^(?<thing>[^.;!?]{2,80}?) (?:in|as) (?<value>{language}|{codeLanguage}|{currency}|{fileFormat})(?=[.!]*$|,|
    ,? (?:{lasting}|please|instead|not|again)\b)`),
  choices: [
    [/\bmetric\b|\bsi units\b/iu, /\bimperial\b|\bus customary\b/iu],
    [/\bcelsius\b|\bcentigrade\b/iu, /\bfahrenheit\b/iu, /\bkelvin\b/iu],
    [/\bkilomet(?:re|er)s?\b/iu, /\bmiles\b/iu],
    [/\bgrams\b|\bkilograms\b|\bkilos\b/iu, /\bounces\b|\bpounds\b(?! sterling)/iu],
    [/\b(?:british|uk) (?:english|spelling)\b/iu, /\b(?:american|us) (?:english|spelling)\b/iu],
    [/\b24-?(?:hour|h)\b/iu, /\b12-?(?:hour|h)\b/iu],
    [
      thingThatIs('{answer}', 'short|shorter|brief|briefer|concise|terse|succinct'),
      thingThatIs('{answer}', 'long|longer|detailed|thorough|in-depth|elaborate|extensive'),
    ],
    [thingThatIs('{tone}', 'formal|professional'), thingThatIs('{tone}', 'informal|casual|relaxed|chatty')],
  ],
  contraries: [
    [stems('short brief concise'), stems('long detailed thorough')],
    [stems('formal'), stems('informal casual')],
    [stems('morning mornings'), stems('evening evenings night nights')],
    [stems('before'), stems('after')],
    [stems('simple'), stems('advanced complex technical')],
    [stems('first'), stems('last')],
  ],
  preference: pattern(source`\b(?:prefer|like|favou?r|value|choose|love|enjoy) (?<first>[^.;!?]{2,80}?) (?:over|to|than|rather than|
    instead of|better than|more than) (?<second>[^.;!?]{2,80})`),
}

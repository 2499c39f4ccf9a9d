import type { SentencePassage } from '../passages.ts'
import { masked } from '../../../facts/reading.ts'
import { is, type Said, weak } from '../../../facts/said.ts'

const lead = '(?:(?:and|also|so|ok|okay|btw|hey|hi|oh|but|again|one more thing|fyi|ps)[,:]? )*'
const polite = '(?:(?:please|pls|plz|kindly)[, ]+)?'
const lasting =
  '(?:from now on|from here on(?: out)?|going forward|in (?:the )?future|from today(?: on)?|in general|every time|each time|by default)'
const verb =
  '(?:answer|reply|respond|use|write|call|address|speak|talk|explain|include|add|show|give|start|begin|end|put|keep|format|' +
  'suggest|recommend|ask|tell|remind|send|text|email|phone|deploy|commit|run|delete|mention|translate|cite|quote|sign|round|' +
  'check|avoid|assume|skip|refer|schedule|book|order|leave|deliver|change|touch|edit|remove|push|merge|spell|capitali[sz]e|' +
  'greet|consult|confirm|warn|notify|let me know|respect|follow|prefer|stick to|double-check|summari[sz]e|assign|store|share|' +
  'report|set)'
const always = new RegExp(
  `^${lead}${polite}(?:${lasting},? )?${polite}(?:(?:I want|I need|I'd like|I would like) you to |(?:you should|you must|you ` +
    `need to) )?((?:always|never) (?:${verb})\\b.{2,140}?)(?:,? (?:please|pls|thanks|thank you|ok|okay))?[.!]*$`,
  'iu',
)
const fromNow = new RegExp(
  `^${lead}${polite}(?:${lasting},? ${polite}((?:(?:only|don't|do not) )?${verb}\\b.{2,140}?)|((?:(?:only|don't|do not) ` +
    `)?${verb}\\b.{2,140}?),? ${lasting})(?:,? (?:please|pls|thanks|thank you))?[.!]*$`,
  'iu',
)
const inLanguage = new RegExp(
  `^${lead}${polite}(?:can you |could you )?((?:answer|reply|respond|write|speak|talk)(?: to me)? (?:only )?in (?:plain |` +
    'simple )?(?:English|German|French|Spanish|Italian|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Polish|Czech|Turkish|' +
    'Russian|Ukrainian|Arabic|Hebrew|Hindi|Chinese|Mandarin|Japanese|Korean|Vietnamese|Thai|Greek|Hungarian|Romanian|Catalan|' +
    'Welsh|Irish)(?: only)?)(?:,? (?:please|pls|thanks))?[.!]*$',
  'iu',
)
const signs =
  '(?:emojis?|emoticons|smileys?|exclamation marks?|em[ -]dashes|markdown|jargon|buzzwords|bullet points|filler words|swear ' +
  'words|smiley faces|hashtags|all caps|abbreviations|tips|disclaimers|follow-?up questions|pleasantries|preambles|caveats|' +
  'small talk)'
const without = new RegExp(
  `^${lead}${polite}((?:(?:don't|do not|stop) (?:use|using|add|adding|put|include|including|write|writing)|avoid(?: using)?|` +
    `no(?: more)?|use no) (?:any |so many |too many )?${signs}(?: (?:or|and) ${signs})?(?: (?:in|at|when|to|with) [\\p{L} ` +
    `']{3,90}?)?)(?:,? (?:please|pls|thanks))?[.!]*$`,
  'iu',
)
const notAtTimes = new RegExp(
  `^${lead}${polite}((?:don't|do not|never) (?:schedule|book|plan|arrange|call|phone|ring|text|message|disturb)(?: (?:me|` +
    'anything|meetings?|calls?|any meetings|any calls|appointments))? (?:before|after|between|on|during) (?:(?:mon|tues|wednes|' +
    `thurs|fri|satur|sun)days?|weekends|\\d[^.!?]{0,20}|noon|lunch|work|midday|midnight)[^.!?,]{0,30})(?:,? (?:please|pls|` +
    'thanks))?[.!]*$',
  'iu',
)
const units = new RegExp(
  `^${lead}${polite}(use (?:metric|imperial|SI|celsius|fahrenheit|kilomet(?:re|er)s|miles|british|american|uk|us|24-?hour|` +
    '12-?hour|iso)(?: (?:units|measurements|degrees|spelling|english|dates?|times?|clock|format|date format|time format))?)(?:,? ' +
    '(?:please|pls|thanks))?[.!]*$',
  'iu',
)
const inMind = new RegExp(
  `^${lead}${polite}(?:remember|keep in mind|bear in mind|don't forget)(?: (?:that )?you (?:must|should|need to|have to|are ` +
    `to)| to)? ((?:always|never) ${verb}\\b.{2,140}?|answer in (?:short|simple|plain|complete|full) (?:sentences|words|language|` +
    'english))[.!]*$',
  'iu',
)

/** Idioms, and statements about a person that give nobody an instruction. */
const noRule = new RegExp(
  String.raw`^(?:never|always) (?:mind|again|say never|look (?:on|back)|give up|let go|forget|keep (?:smiling|` +
    String.raw`going)|start a|ask a (?:woman|lady)|tell (?:a|me the odds)|put off till|end|add up|use to)\b|` +
    String.raw`\b(?:said|says|told|he|she|they|this|these|following|above|below)\b|[={}]|:(?!\d)`,
  'iu',
)

const reaching = new RegExp(
  String.raw`^(?:and |so |but |also )*(?:(?:please|pls|plz) )?((?:don't|do not|never) (?:call|phone|ring|text|` +
    String.raw`email)(?: me)?|(?:text|email|e-mail|sms|phone|calls?)(?: or (?:text|email|e-mail|sms|phone|` +
    String.raw`calls?))? only(?: again)?|(?:only )?(?:contact|reach|write to) me (?:only )?(?:by|via) (?:text|` +
    String.raw`email|e-mail|sms|phone|post)(?: only)?)(?:,? (?:please|pls|thanks))?[.!]*$`,
  'iu',
)

/** Reads standing instructions: how to answer, what not to do. */
export function standingInstruction({ text, isQuestion }: SentencePassage): Said[] {
  if (isQuestion || text.length > 240 || text.includes(masked)) return []
  return firstOf([inMind, always, fromNow, inLanguage, units], text)
}

/** Reads standing instructions in a part of a sentence: `my time zone is CET, don't schedule anything before 10`. */
export function asides({ clauses, isQuestion }: SentencePassage): Said[] {
  if (isQuestion || clauses.some(({ text }) => text.includes(masked))) return []
  return clauses
    .filter(({ joint }) => /^(?:|[,;:–—-]|[,;]? ?(?:and|so|but))$/u.test(joint))
    .flatMap(({ text }) => firstOf([without, notAtTimes, reaching], text))
}

function firstOf(patterns: readonly RegExp[], text: string): Said[] {
  for (const pattern of patterns) {
    const asked = pattern
      .exec(text)
      ?.slice(1)
      .find((one) => one !== undefined)
    if (asked !== undefined)
      return noRule.test(asked) ? [] : is('prefers', ruled(asked), pattern === always || pattern === fromNow ? {} : { confidence: weak })
  }
  return []
}

/** The reason after an instruction, which is cut off. */
const reason = /(?:,| (?:please|pls|because|since|as),?) (?:I|my|we|it's|I'm|I'd)\b.*$/u

/** Returns an instruction as it reads after `prefers:`, without its reason and its capital. */
function ruled(asked: string): string {
  return asked
    .replace(reason, '')
    .replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())
    .replace(/[,;:]+$/u, '')
}

const reminding = new RegExp(
  String.raw`(?:^|[,;.!] ?|\b(?:and|but|so|please|pls|btw|ok|okay|also) )(?:(?:can|could|will|would) you ` +
    String.raw`(?:please )?)?(?:please |pls )?(?:remind me|i need to be reminded|i(?: want|'d like) to be ` +
    String.raw`reminded)(?: again| later| please)? (?:(to)|that|about) (.{3,140}?)(?:,? (?:please|pls|thanks|` +
    String.raw`thank you))?[.!?]*$`,
  'iu',
)

/** Reads `Remind me to renew my passport`: reads the thing to be remembered, with its time as it was said. */
export function reminderIn({ text }: SentencePassage): Said[] {
  const [, to, what] = text.length > 300 ? [] : (reminding.exec(text) ?? [])
  if (
    what === undefined ||
    what.includes(masked) ||
    /^(?:it|this|that|him|her|them|you|me|what|how|why|when|again)\b|\b(?:you|your|if|unless|whether)\b|[?!.]/iu.test(what)
  )
    return []
  return is('asked to remember', to === undefined ? what : `to ${what}`)
}

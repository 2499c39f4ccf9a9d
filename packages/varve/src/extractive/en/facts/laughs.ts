import { tradeIn } from './objects.ts'
import { type Said, weak } from '../../facts/said.ts'
import { regex, source } from '../../word-lists.ts'

/** Laughter: the speaker may not mean the sentence. */
const laugh = source`(?<![\p{L}\p{N}])(?:lo+l|lolz|lmf?ao|rofl|(?:ha){2,9}h?|haha+|(?:he){2,9}|xd)(?![\p{L}\p{N}])|(?:;-?\){1,9}|
  [:;=]-?p)(?![\p{L}\p{N}])`
/** Faces made of signs. They end a sentence as a full stop does. */
const face = "(?<!\\p{N})[:=]'?-?(?:\\){1,9}|\\({1,9}|[d\\]/|o](?![\\p{L}\\p{N}/]))|(?<= )<3(?!\\d)|\\^\\^"
/** Says that the words before are a joke: `jk`, but not `no kidding` and `kidding aside`. */
const kidding = source`(?<!(?:\b(?:no|not|never|am i|are you|always|keep|stop|he's|she's|you're|he was|she was)|
  n't) )(?<![\p{L}\p{N}'])(?:(?:(?:i'?m|i am|i was|that was) )?(?:(?:just|only|totally) )?(?:kidding|joking)(?! (?:aside|around|apart|
  about|me|you|myself))|jk(?! \p{L}\.?(?: |$)| rowling)|(?:that (?:was|is)|that's|it was) (?:a|just a) (?:joke|lie)|psych(?=[.!]*$)|
  sike)(?![\p{L}\p{N}'/])`

/** The end of a sentence. In chats a laugh, a face or a `jk` ends one as well. */
export const sentenceEnd = regex('giu')`[.!?…]+["')\]]{0,3}(?=[ \n]|$)|\n|(?<laugh>${laugh}) ?[.!?…]{0,9}|(?:${face}) ?[.!?…]{0,9}|
  (?<kidding>${kidding})[,.!…]{0,9}`

const opens = new RegExp(`^[\\s.,!]*(?:(?:${laugh})[\\s.,!]*)?(?:(?:no|nah|sorry|ok|oh|ha)[,.]? )?(?:${kidding})`, 'iu')
const laughsFirst = new RegExp(`^(?:${laugh})(?!,? (?:yes|yeah|yep|true|thanks|thank you|thx|ok|nice|good|cool|great)\\b)`, 'iu')

const nothing = new RegExp(`^[^\\p{L}]*(?:(?:${laugh})[^\\p{L}]*)?$`, 'iu')

/** Tells whether a text is nothing but a laugh. */
export function isBlank(text: string): boolean {
  return text.length < 40 && nothing.test(text)
}

/** Tells whether a message begins by saying that the one before was a joke. */
export function jokedBefore(text: string): boolean {
  return opens.test(text.slice(0, 80))
}

/** Tells whether a sentence begins with a laugh: `haha, I have 300 cats`. */
export function isLaughedAt(sentence: string): boolean {
  return laughsFirst.test(sentence)
}

/** Returns the facts of a sentence with a laugh: deeds, unlikely trades and large numbers are left out, and the rest is less sure. */
export function soberly<One extends Said>(said: readonly One[]): One[] {
  return said.filter(isSober).map((one) => ({ ...one, confidence: Math.min(one.confidence, weak) }))
}

function isSober({ says, predicate, object }: Said): boolean {
  if (says !== 'is') return true
  if (predicate === 'likes' || predicate === 'prefers') return !/^(?:to|\p{L}+ing)\b/u.test(object) && object.split(' ').length < 4
  return predicate === 'works as' ? tradeIn(object) !== undefined : predicate !== 'has' || !/\d{2}|hundred|thousand/u.test(object)
}

import { regex } from '../../word-lists.ts'

const hum = '(?:(?:oh|ah|u[hm]|erm?|hm+|ok|okay|alright|well|but|actually|wait|sorry|lol|haha)[,.…]{0,3} ){0,3}'
const goesOn = "(?:wait|sorry|actually|not|it's|it is|i|i'm|we|my|that's|scratch|make that)"
/** `No, I don't eat fish either` takes nothing back. */
const alsoNot = "(?!,? (?:i|we)(?:'m not| am not| don't| do not| can't| haven't| never) \\S+ \\S)"
const taking = [
  `(?:no|nope|nah)(?:[.!…]{0,3}$|${alsoNot}(?:[,.…!]{1,3} (?!(?:really|seriously|kidding|joke)\\b)| (?=${goesOn}\\b)))`,
  '(?:scratch|strike|forget|ignore|disregard) (?:that|what i (?:just )?said|i (?:ever )?said that)|nvm|never ?mind|' +
    "i lied|that's a lie|not really|not true",
  "(?<=wait[,.…]{0,3} )(?:(?:no|not|it's|that's|i mean|make that)\\b|\\S+(?: \\S+)?[.!…]{0,3}$)",
  '(?:i mean,? |(?<=\\b(?:well|ok|okay|actually)[,.…]{0,3} ))(?:not\\b|almost|nearly|sort of|kind of|kinda|technically|more ' +
    'like|i (?:used to|did|was|lied)\\b|that was|it (?:was|used to)\\b|\\p{L}+ is (?:a bit |a little |too |maybe )?(?:strong|' +
    'much|an exaggeration|a stretch|pushing it))',
  '(?<=\\b(?:well|ok|okay|alright|actually|wait)[,.…]{0,3} )(?:(?:only |just |more like |make that )?(?:\\d+|one|two|three|four|five)\\b)',
  'wait[.!…]{0,3}$',
].join('|')
const beginning = new RegExp(`^${hum}(?:${taking})`, 'iu')
const aside = regex('iu')`^(?:(?:oh|well|or|uh|um|ok|wait|actually|sorry)[ ,]{1,2}){0,2}(?:no|nope|nah|not really|scratch that|
  strike that|rather|wait|no wait|wait no|no sorry|actually)$`

/** Tells whether a sentence takes back the one before: `ok no, I do payroll`. */
export function takesBackBefore(sentence: string): boolean {
  return beginning.test(sentence.slice(0, 120))
}

const wholly = regex('iu')`^${hum}(?:(?:argh|ugh|hang on|oops|sorry)[,.! ]{1,3}){0,2}(?:no wait|wait,? no|(?:scratch|ignore|forget|
  disregard) that(?: last (?:one|bit|message))?|never ?mind that|my mistake)\b`

/** Tells whether a message takes back the whole message before it: `no wait, I had the wrong branch open`. */
export function takesBackMessage(sentence: string): boolean {
  return wholly.test(sentence.slice(0, 120))
}

/** Tells whether a clause takes back the one before: `I live in Bath, no wait, in Wells`. */
export function isSecondThought(clause: string): boolean {
  return clause.length < 40 && aside.test(clause.replace(/[.!…]+$/u, ''))
}

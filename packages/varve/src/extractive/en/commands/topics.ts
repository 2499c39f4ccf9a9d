import { regex } from '../../word-lists.ts'

/** The forms of a topic that stand for other words: `how old I am` is about the age. */
const asked: readonly (readonly [form: RegExp, topic: string])[] = [
  [/^how old (?:i am|we are)$/iu, 'age'],
  [/^when (?:i was born|my birthday is)$/iu, 'birthday'],
  [/^where (?:i|we) (live|work|study|bank|park)$/iu, '$1'],
  [/^(?:who|what|where|when|how) (?:my|our|the) (.{2,60}?) (?:is|are|was|works?|lives?)$/iu, '$1'],
  [/^(?:the fact )?that (?:(?:i|we) (?:am |are |have )?|(?:i'm|we're|i've|we've|im|my|our) )(.+)$/iu, '$1'],
]
const naming = / (?:is|are|was)(?: (?:called|named|now|on|in))? /iu
const trail = regex('iu')`,? (?:please|pls|thanks|thank you|now|for now|earlier|before|yesterday|today|again|any ?more|entirely|
  completely|altogether|too|ok|okay|then)$`
const owner = /^(?:about |on )?(?:(?:my|our|the|this|that|an?|all|some|any) )+/iu
const both = / and (?=(?:my|our|the|what) |\p{Lu})| and (?=\S+$)(?<=^\S+ and )/u
const nothing = regex('iu')`^(?:it|this|that|these|those|them|him|her|you|me|us|i|everything|anything|something|nothing|all|things?|
  stuff|whole|rest|last|first|one|other)\b`

/** Returns the words that tell what a command is about: `test command` for `our test command, please`. */
export function topicsIn(words: string): string[] {
  const topics = cut(words)
    .split(both)
    .map((one) => {
      const topic = asked.reduce((text, [form, plain]) => text.replace(form, plain), one.trim())
      return (topic === one.trim() ? topic : topic.replace(naming, ' ')).replace(owner, '').trim()
    })
  return topics.filter((topic) => /[\p{L}\p{N}]/u.test(topic) && !nothing.test(topic))
}

/** Removes polite words and times from the end, at most three. */
function cut(words: string): string {
  let text = words.trim()
  for (let times = 0; times < 3; times += 1) text = text.replace(trail, '')
  return text
}

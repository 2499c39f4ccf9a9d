import { ended, unchosen } from '../habits.ts'
import { deedIn } from '../objects.ts'
import { is, type Reader, type Said, sure, weak } from '../../../facts/said.ts'
import { relations } from '../words.ts'
import { isTool } from './tool-names.ts'
import { toolIn } from './tools.ts'
import { regex } from '../../../word-lists.ts'

const decided = regex('u')`^(?:have )?(?:just |finally |all |both )?(?:decided|agreed|chosen|chose|opted) (?:to (?:go with|stick with|
  stay with)|on(?=.+ (?:instead of|rather than|over) )) (.+)$`
const chose = /^(?:have )?(?:just |finally )?(?:chose|chosen|picked|went with|gone with|settled for) (.+)$/u
const goes = /^(?:am (?:going|sticking|staying) with|will (?:go|stick|stay) with|go with) (.+)$/u
const against = /^(?:have )?(?:just |finally )?decided against (.+)$/u
const agreed = /^(?:have )?(?:just |finally |all |both )?agreed (to|on) (.+)$/u
const rejected = /^(.+?) (?:over|instead of|rather than|not|and not) (.+)$/u
const tail = / (?:as (?:the|our|my|an?) .*|for (?:now|the .*|our .*|my .*|all .*|this|everything)|instead|after all|in the end|again|too)$/u

/** Reads choices, and the things that were decided against. */
export const choices: Reader = (phrase, { who }) => {
  if (who === 'other') return []
  const refused = against.exec(phrase)?.[1]
  if (refused !== undefined) {
    const object =
      (/^(?:an?|the) /u.test(refused) ? undefined : toolIn(refused)) ??
      thingIn(refused) ??
      (/^\p{Ll}+ing /u.test(refused) ? deedIn(refused) : undefined)
    return object === undefined
      ? []
      : [
          ...is('decided against', object, { tense: 'past' }),
          ...(/^(?:an?|the) /u.test(refused) ? ended(is('decided on', object)) : undone(object)),
        ]
  }
  const made = decided.exec(phrase)?.[1]
  if (made !== undefined) return chosen(made, (text) => toolIn(text) ?? thingIn(text), sure)
  const taken = chose.exec(phrase)?.[1] ?? goes.exec(phrase)?.[1]
  if (taken !== undefined) return chosen(taken, (text) => (isTool(text) ? toolIn(text) : undefined), sure)
  const [, on, what = ''] = agreed.exec(phrase) ?? []
  const object =
    what === '' || /^(?:be|disagree|differ|meet halfway|nothing|everything|most|that|this|all)\b/u.test(what) ? undefined : deedIn(what)
  const bare = on === 'to' ? object : object?.replace(/^(?:an?|the) /u, '')
  return is(on === 'to' ? 'decided to' : 'decided on', bare, { tense: 'past', confidence: weak })
}

function chosen(text: string, read: (text: string) => string | undefined, confidence: number): Said[] {
  const [, what = text, other] = rejected.exec(text) ?? []
  const object = read(what.replace(tail, ''))
  if (object === undefined) return []
  const not = other === undefined ? undefined : (toolIn(other.replace(tail, '')) ?? thingIn(other.replace(tail, '')))
  return [...is('decided on', object, { tense: 'past', confidence }), ...(not === undefined ? [] : undone(not))]
}

/** Ends a choice, and the plans to use it. */
function undone(object: string): Said[] {
  return toolIn(object) === undefined ? ended(is('decided on', object)) : unchosen(object)
}

/** Words that name nothing in particular. */
const unclear = regex('u')`\b(?:first|second|third|last|other|one|flow|same|latter|former|option|idea|plan|it|that|this|rest|answer|
  version|crowd|family|kids|others|way)\b`

/** Returns a thing, such as `the blue tiles`: neither kin nor something that only this talk can tell. */
function thingIn(text: string): string | undefined {
  const cut = text.replace(tail, '').replace(/^(?:an?|the) /u, '')
  const words = cut.split(' ')
  const isPart = words.length > 4 || / (?:to|for|with|on|in|at|of|that|which|and) /u.test(cut)
  const isNone = isPart || unclear.test(cut) || words.some((word) => relations.includes(word))
  return /^(?:an?|the) [\p{L}\p{N}]/u.test(text) && !isNone ? cut : undefined
}

const suggested = /^let'?s (?:just )?(?:go with|use|stick with|stay with) (.+)$/iu

/** Reads `let's go with Kysely`. */
export function suggestion(clause: string): Said[] {
  const text = suggested.exec(clause)?.[1]
  return text === undefined ? [] : chosen(text, (one) => (isTool(one) ? toolIn(one) : undefined), weak)
}

const ruled = /^(?:(?:ok|okay|so|right|final|and)[,:]? )*decision: (.{6,140}?)[.!]*$/iu

/** Reads `decision: all money is stored as cents`, in the person's words. */
export function ruling(text: string): Said[] {
  const what = ruled.exec(text)?.[1]
  const isNone = /[?!.] |\b(?:you|your)\b|^(?:none|no|not|pending|tbd|still|nothing|open|later)\b|^\S+(?: \S+)?$/iu.test(what ?? '')
  return isNone ? [] : is('decided that', what, { tense: 'past', confidence: weak })
}

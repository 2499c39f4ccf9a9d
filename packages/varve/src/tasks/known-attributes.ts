import { estimateTokenCount } from 'tokenx'
import { isRegistered, predicateKey } from '../facts/predicates.ts'
import { isStopword } from '../index/query.ts'
import { stem } from '../index/stem.ts'
import { wordsOf } from '../index/words.ts'
import { factFault } from './fact-form.ts'
import { generalWords } from './general-words.ts'
import { quotedName } from './quoted.ts'

/** The most attributes that a prompt shows, the tokens of all of them, and the characters of one. */
export const mostAttributes = { count: 40, tokens: 400, characters: 60 } as const

/** Chooses attributes to be shown to a model: those that it might answer, and that Varve does not know anyway. */
export function shownAttributes(attributes: readonly string[]): readonly string[] {
  const shown: string[] = []
  let tokens = 0
  for (const one of attributes) {
    if (shown.length >= mostAttributes.count) break
    const isFit = one.length <= mostAttributes.characters && factFault({ subject: '', predicate: one, object: '' }) === undefined
    if (!isFit || isRegistered(predicateKey(one))) continue
    tokens += estimateTokenCount(`; ${one}`)
    if (tokens > mostAttributes.tokens) break
    shown.push(one)
  }
  return shown
}

/** Gives the line of the prompt that shows attributes; none for no attributes. */
export function attributeLines(attributes: readonly string[]): string[] {
  return attributes.length === 0 ? [] : [`[known] ${attributes.map(quotedName).join('; ')}`]
}

/** Finds the attribute that a predicate means in other words: "command for tests" for "test command". */
export function attributeFor(predicate: string, attributes: readonly string[]): string | undefined {
  const form = formOf(predicate)
  return attributes.find((one) => formOf(one) === form)
}

const articles: ReadonlySet<string> = new Set('the a an my our der die das den mein meine le la les mon ma el los las mi'.split(' '))
const linking: ReadonlySet<string> = new Set('for of für von pour de du des para del'.split(' '))

/** Gives the form by which attributes are compared: stems without articles, and "B A" for "A for B". */
function formOf(predicate: string): string {
  const words = predicateKey(predicate)
    .split(' ')
    .filter((word) => !articles.has(word))
  const at = words.findIndex((word, place) => place > 0 && place < words.length - 1 && linking.has(word))
  const ordered = at === -1 ? words : [...words.slice(at + 1), ...words.slice(0, at)]
  return stemsOf(ordered.join(' ')).join(' ')
}

/** Made when an attribute is first named: that takes 15 ms, most of it to load the stemmer. */
let general: ReadonlySet<string> | undefined

/** Lists the stems of a predicate's words that only a person's talk can have told: not general, and not Varve's own. */
export function tellingStems(predicate: string): readonly string[] {
  if (isRegistered(predicateKey(predicate))) return []
  general ??= new Set(stemsOf(generalWords))
  const known = general
  return stemsOf(predicate).filter((word) => !known.has(word) && !isStopword(word, 'en'))
}

/** Lists the stems of a text's words. */
export function stemsOf(text: string): readonly string[] {
  return wordsOf(text).map((word) => stem(word, 'en'))
}

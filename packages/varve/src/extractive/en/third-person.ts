import type { ThirdPerson } from '../language-pack.ts'
import { adverbs, agreeing, isPresent } from './verbs.ts'
import { regex } from '../word-lists.ts'

/** With more mentions of the speaker than this, a sentence full of the name reads badly. */
const maxMentions = 3

/** Words that are frequent in English alone: a sentence with two of them is taken for English. */
const english =
  /\b(?:the|a|an|to|of|and|in|for|with|on|at|was|is|it|that|this|have|had|but|from|about|been|as|by|so|not|really|some|last|next)\b/giu
/**
 * Words for the listener or for several persons, and quotation marks. A sentence with one of them is quoted as it is: rewritten,
 * it would no longer show who is meant.
 */
const unsafe = /\b(?:we|us|our|ours|ourselves|myself|you|your|yours|yourself|y['’]all|let['’]s|u)\b|["“”«»„]/iu
const others = /\b(?:he|she|they|them|their|his|her|hers|him)\b/iu
/**
 * Beginnings of sentences that have a subject. `Glad I can help` and `Gonna finish my course` have none: without a name before
 * them, they read as nobody's.
 */
const beginnings = [
  'I',
  "I['’](?:m|ve|ll|d)",
  'my|the|an?|it|this|that|these|those|there|he|she|they|his|her|their',
  "(?:it|that|there)['’]s",
  'some|one|two|three|both|all|everyone|everything|nothing|nobody|every|each',
  'last|next|yesterday|today|tonight|tomorrow|then|now|recently|lately|once|sometimes|on|in|at|after|before|when|while|since|' +
    'during|for|as|with|without|by|from|over|until',
  'if|because|also|so|plus|although|though|even|where|what|who|how|whenever|to|not',
]
const wholeBeginning = new RegExp(`^(?:${beginnings.join('|')})(?![\\p{L}'’])`, 'iu')
const wouldFollow =
  /^(?:love|like|rather|prefer|be|never|say|need|want|hate|recommend|suggest|go|do|really|definitely|probably|also|still|appreciate)$/u
/** After one of these words `I` follows its verb or shares it: it is not the plain subject of the next one. */
const invertedBefore = /^(?:am|was|do|did|have|had|can|could|will|would|should|may|must|neither|nor|than|and|or)$/iu

/** The state of rewriting one sentence. */
interface Rewriting {
  readonly words: readonly string[]
  readonly name: string
  /** True when `my` may become `their`: the sentence has nobody else in the third person. */
  readonly alone: boolean
  written: string[]
  mentions: number
  subject: boolean
}

/**
 * Rewrites a plain English sentence from the first person to the third: I → Ada, my → Ada's or their, with the verb agreeing.
 * Undefined where the sentence is not in the first person, not English, or not simple enough. The caller quotes it then.
 */
export function inThirdPerson(sentence: string, name: string): string | undefined {
  if (!/\b(?:I|my|My|me|mine)\b/u.test(sentence) || unsafe.test(sentence) || sentence.endsWith('?')) return undefined
  // `I` with a known verb is English. Without `I`, other words have to tell.
  if (!/\bI\b/u.test(sentence) && (sentence.match(english)?.length ?? 0) < 2) return undefined
  if (!beginsWhole(sentence)) return undefined
  const state: Rewriting = { words: sentence.split(' '), name, alone: !others.test(sentence), written: [], mentions: 0, subject: false }
  for (let at = 0; at < state.words.length;) {
    const taken = rewriteAt(state, at)
    if (taken === undefined) return undefined
    at += taken
  }
  return state.mentions === 0 || state.mentions > maxMentions ? undefined : state.written.join(' ')
}

/** Tells whether an English sentence surely has a subject. An order or a fragment needs a name before it. */
export function beginsWhole(sentence: string): boolean {
  return wholeBeginning.test(sentence)
}

/** Writes the word at a place and returns how many words it took. Undefined: the sentence cannot be rewritten safely. */
function rewriteAt(state: Rewriting, at: number): number | undefined {
  const word = state.words[at] ?? ''
  const [, before = '', core = '', after = ''] = /^(\P{L}*)(.*?)(\P{L}*)$/u.exec(word) ?? []
  const plain = core.replaceAll('’', "'")
  if (/^I(?:'(?:m|ve|ll|d))?$/u.test(plain)) return after === '' ? subjectAt(state, at, before, plain) : undefined
  if (/^i(?:'(?:m|ve|ll|d))?$/u.test(plain)) return undefined
  const replaced = objectFor(state, plain)
  if (replaced !== undefined) state.mentions += 1
  state.written.push(replaced === undefined ? word : `${before}${replaced}${after}`)
  return 1
}

function objectFor({ name, alone, subject }: Rewriting, word: string): string | undefined {
  const plain = word.toLowerCase()
  if (plain === 'my' && subject && alone) return 'their'
  return plain === 'my' || plain === 'mine' ? `${name}'s` : plain === 'me' ? name : undefined
}

function subjectAt(state: Rewriting, at: number, before: string, word: string): number | undefined {
  const previous = state.words[at - 1] ?? ''
  const verb = verbAfter(state.words, at, word)
  if (verb === undefined) return undefined
  // `My sister and I love`: the subject is two persons, so the verb stays. A comma before `and` begins a new clause.
  if (invertedBefore.test(previous) && !(/^(?:and|or)$/iu.test(previous) && (verb.same || (state.words[at - 2] ?? '').endsWith(','))))
    return undefined
  if (!verb.same && coordinated(state.words.slice(at + verb.taken))) return undefined
  state.written.push(`${before}${state.name}`, ...verb.written)
  state.mentions += 1
  state.subject = true
  return verb.taken
}

interface FoundVerb {
  /** The words after the name, up to the verb. */
  readonly written: readonly string[]
  /** The number of words of the sentence that they replace, `I` included. */
  readonly taken: number
  /** True when the verb has the same form after a name. */
  readonly same: boolean
}

function verbAfter(words: readonly string[], at: number, word: string): FoundVerb | undefined {
  const next = (words[at + 1] ?? '').toLowerCase().replace(/[^a-z'’]+$/u, '')
  if (word === "I'm") return { written: ['is'], taken: 1, same: false }
  if (word === "I've") return { written: ['has'], taken: 1, same: false }
  if (word === "I'll") return { written: ['will'], taken: 1, same: true }
  if (word === "I'd") return wouldFollow.test(next) ? { written: ['would'], taken: 1, same: true } : undefined
  const skipped: string[] = []
  for (let place = at + 1; place < words.length; place += 1) {
    const written = words[place] ?? ''
    const [, core = '', after = ''] = /^([\p{L}'’]+)(\P{L}*)$/u.exec(written) ?? []
    const plain = core.toLowerCase().replaceAll('’', "'")
    if (adverbs.has(plain) && after === '') {
      skipped.push(written)
      continue
    }
    const agreed = agreeing(plain)
    return agreed === undefined ? undefined : { written: [...skipped, `${agreed}${after}`], taken: place - at + 1, same: agreed === plain }
  }
  return undefined
}

/** Tells whether a second verb has the same subject (`I love it and want more`): it would have to agree as well. */
function coordinated(rest: readonly string[]): boolean {
  return rest.some((word, place) => {
    if (!/^(?:and|or|but|then)$/iu.test(word)) return false
    const plain = rest.slice(place + 1).map((one) => one.toLowerCase().replaceAll('’', "'"))
    const following = plain.map((one) => one.replace(/[^a-z']/gu, '')).find((one) => !adverbs.has(one))
    return following !== undefined && isPresent(following)
  })
}

/** Words for the speaker or the listener. Unquoted, beside a rewritten sentence, they would name the wrong person. */
const persons = /\b(?:I|me|my|mine|myself|we|us|our|you|your|yours|let['’]s)\b|\?$/iu

function rewrite(sentences: readonly string[], speaker: string): string[] | undefined {
  const rewritten = sentences.map((sentence) => inThirdPerson(sentence, speaker))
  const isSafe =
    rewritten[0] !== undefined &&
    sentences.every((sentence, at) => rewritten[at] !== undefined || (beginsWhole(sentence) && !persons.test(sentence)))
  return isSafe ? sentences.map((sentence, at) => rewritten[at] ?? sentence) : undefined
}

export const thirdPerson: ThirdPerson = {
  rewrite,
  conjunction: /^(?:And|But)\s+(?=\p{L})/u,
  noName: regex('u')`^(?:It|Its|The|This|That|These|Those|They|Their|There|He|She|His|Her|We|Our|My|A|An|And|But|So|Or|For|In|On|At|If|
    When|What|Then|You|Your|To|As|With|Also|Just|Even|Let)(?=[\s'’])`,
}

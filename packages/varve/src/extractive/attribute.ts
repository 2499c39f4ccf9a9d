import { questionMark } from './cues.ts'
import { languagePacks } from './languages.ts'

const conjunctions = languagePacks.flatMap(({ conjunction }) => conjunction ?? [])

/** Returns the sentences of one speaker as a quote after the speaker's name. */
export function attributed(said: readonly string[], speaker: string): string {
  const quoted = said.map((sentence, at) => ended(at === 0 ? withoutConjunction(sentence) : sentence)).join(' ')
  return `${capitalised(speaker)}${said.every((sentence) => questionMark.test(sentence)) ? ' asked' : ''}: ${quoted}`
}

/** Removes the conjunction at the beginning, because the sentence before it is not written. */
export function withoutConjunction(sentence: string): string {
  const found = conjunctions.map((conjunction) => conjunction.exec(sentence)?.[0]).find((word) => word !== undefined)
  return found === undefined ? sentence : sentence.slice(found.length).replace(/^\p{L}/u, (letter) => letter.toUpperCase())
}

function capitalised(text: string): string {
  return text.replace(/^the (?=assistant|tool|user)/u, 'The ')
}

function ended(text: string): string {
  return /[.!?…。？！؟।]["'”’)]*$/u.test(text) ? text : `${text}.`
}

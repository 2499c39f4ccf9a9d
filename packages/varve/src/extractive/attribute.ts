import { questionMark } from './cues.ts'
import { languagePacks } from './languages.ts'

const grammars = languagePacks.flatMap(({ thirdPerson }) => thirdPerson ?? [])

/** Returns the sentences of one speaker as one: in the third person where that is safe, otherwise quoted after the speaker's name. */
export function attributed(said: readonly string[], speaker: string): string {
  const sentences = said.map((sentence, at) => (at === 0 ? withoutConjunction(sentence) : sentence))
  const rewritten = inThirdPerson(sentences, speaker)
  const join = (before: string, one: string): string =>
    questionMark.test(before) ? `${before} ${one}` : `${before}; ${uncapitalised(one)}`
  const joined = ended((rewritten ?? sentences).reduce(join))
  if (rewritten !== undefined) return capitalised(joined)
  return `${capitalised(speaker)}${sentences.every((sentence) => questionMark.test(sentence)) ? ' asked' : ''}: ${joined}`
}

function inThirdPerson(sentences: readonly string[], speaker: string): string[] | undefined {
  const rewritten = grammars.values().map(({ rewrite }) => rewrite(sentences, speaker))
  return rewritten.find((one) => one !== undefined)
}

/** Removes the conjunction at the beginning, because the sentence before it is not written. */
function withoutConjunction(sentence: string): string {
  const found = grammars.map(({ conjunction }) => conjunction.exec(sentence)?.[0]).find((word) => word !== undefined)
  return found === undefined ? sentence : sentence.slice(found.length).replace(/^\p{L}/u, (letter) => letter.toUpperCase())
}

function uncapitalised(sentence: string): string {
  return grammars.reduce((text, { noName }) => text.replace(noName, (word) => word.toLowerCase()), sentence)
}

function capitalised(text: string): string {
  return text.replace(/^the (?=assistant|tool|user)/u, 'The ')
}

function ended(text: string): string {
  return /[.!?…。？！؟।]["'”’)]*$/u.test(text) ? text : `${text}.`
}

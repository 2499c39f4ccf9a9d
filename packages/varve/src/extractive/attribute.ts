import { question } from './cues.ts'
import { beginsWhole, inThirdPerson } from './en/third-person.ts'

/** Somebody in person, which a sentence must not name when it stands unquoted beside one that was rewritten. */
const persons = /\b(?:I|me|my|mine|myself|we|us|our|you|your|yours|let['’]s)\b|\?$/iu

/** Words that begin a sentence and are surely no names. */
const noNames = new RegExp(
  String.raw`^(?:It|Its|The|This|That|These|Those|They|Their|There|He|She|His|Her|We|Our|My|A|An|And|But|So|Or|` +
    String.raw`For|In|On|At|If|When|What|Then|You|Your|To|As|With|Also|Just|Even|Let)(?=[\s'’])`,
  'u',
)

/** Sentences of one speaker as one: in the third person where that is safe, otherwise as his words after his name. */
export function attributed(said: readonly string[], speaker: string): string {
  const sentences = said.map((sentence, at) => (at === 0 ? withoutConjunction(sentence) : sentence))
  const rewritten = sentences.map((sentence) => inThirdPerson(sentence, speaker))
  const isSafe =
    rewritten[0] !== undefined &&
    sentences.every((sentence, at) => rewritten[at] !== undefined || (beginsWhole(sentence) && !persons.test(sentence)))
  const written = isSafe ? sentences.map((sentence, at) => rewritten[at] ?? sentence) : sentences
  const joined = ended(
    written.reduce((before, sentence) => (question.test(before) ? `${before} ${sentence}` : `${before}; ${uncapitalised(sentence)}`)),
  )
  if (isSafe) return capitalised(joined)
  return `${capitalised(speaker)}${sentences.every((sentence) => question.test(sentence)) ? ' asked' : ''}: ${joined}`
}

// What it would join has not been written.
function withoutConjunction(sentence: string): string {
  return sentence.replace(/^(?:And|But)\s+(\p{L})/u, (_whole, letter: string) => letter.toUpperCase())
}

function uncapitalised(sentence: string): string {
  return sentence.replace(noNames, (word) => word.toLowerCase())
}

function capitalised(text: string): string {
  return text.replace(/^the (?=assistant|tool|user)/u, 'The ')
}

function ended(text: string): string {
  return /[.!?…。？！؟।]["'”’)]*$/u.test(text) ? text : `${text}.`
}

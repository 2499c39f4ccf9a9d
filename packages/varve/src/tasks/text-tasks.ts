import { bulletBounds, digestBounds, gistBounds } from '../models/writer.ts'
import type { AskedTask } from './instructions.ts'

/** A task for a list of sentences, with the bounds of the list. */
export interface TextTask extends AskedTask {
  readonly maxSentences: number
  /** The most words of all sentences together. */
  readonly maxWords: number
  /** True for a task whose sentences may rest only on persons' words. */
  readonly personsOnly: boolean
}

const bulletStyle = 'Each is one whole statement on one line. No pleasantries, reasoning, quotes, preamble or headings.'

const bullets =
  '1 to 3 bullets, under 80 words in all, the most important first: the topic; then facts, names, ids and decisions; then open ' +
  `questions. ${bulletStyle}`

const example = '{"from":[7],"text":"Ada lives in Bergen and sold her boat in May."}'

/** The gist of a session. */
export const gistTask: TextTask = {
  key: 'gist',
  task: '4 to 8 sentences, fewer for a short talk, in order: topics, decisions, names, places, numbers, mood.',
  example,
  maxSentences: gistBounds.maxSentences,
  maxWords: gistBounds.maxWords,
  maxOutputTokens: 1600,
  personsOnly: false,
}

/** The bullets of a conversation in a bank. */
export const bulletsTask: TextTask = {
  key: 'bullets',
  task: bullets,
  example,
  maxSentences: bulletBounds.maxBullets,
  maxWords: bulletBounds.maxWords,
  maxOutputTokens: 600,
  personsOnly: false,
}

/** Makes the task for the bullets that a project shares of a conversation, with the rule on whose words they may state. */
function sharedTask(whose: string): TextTask {
  return {
    key: 'bullets',
    task:
      `what the other members of this project should know of it: ${bullets} ${whose} No bullet that only asks something. ` +
      `Nothing personal, such as health, money, family, feelings or opinions on people, unless it is the project's own ` +
      `matter. [] where nothing is left.`,
    example,
    maxSentences: bulletBounds.maxBullets,
    maxWords: bulletBounds.maxWords,
    maxOutputTokens: 600,
    personsOnly: true,
  }
}

/** The bullets that a project shares of a conversation. */
export const sharedBulletsTask = sharedTask('Only what a person said: nothing that an assistant or a tool alone said.')

/** The same in a project that shares assistants' answers too. */
export const sharedAnswersTask = sharedTask(
  'Only what a person said, and what the assistant answered: nothing that a tool alone said. A bullet rests on the person’s ' +
    'messages or on the assistant’s, not on both.',
)

/** A digest's bullets. */
export const digestTask: TextTask = {
  key: 'bullets',
  task:
    '2 to 4 bullets, under 120 words in all, the most important first. Keep facts, names, ids, decisions and open questions; ' +
    `leave out what a later summary changed. ${bulletStyle}`,
  example,
  maxSentences: digestBounds.maxBullets,
  maxWords: digestBounds.maxWords,
  maxOutputTokens: 800,
  personsOnly: false,
}

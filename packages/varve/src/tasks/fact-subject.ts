import type { SourceMessage } from '../models/writer.ts'
import { folded } from './folded.ts'

/** Words by which a model names the speaker. */
const oneself: ReadonlySet<string> = new Set(['', 'i', 'me', 'my', 'myself', 'user', 'the user', 'speaker', 'the speaker'])

/** Words for nobody in particular, and for the writers and readers of prompts. */
const nobody: ReadonlySet<string> = new Set([
  ...[
    'he',
    'him',
    'she',
    'her',
    'it',
    'its',
    'they',
    'them',
    'we',
    'us',
    'you',
    'one',
    'this',
    'that',
    'these',
    'those',
    'there',
    'who',
    'someone',
    'somebody',
    'anyone',
    'anybody',
    'everyone',
    'everybody',
    'nobody',
    'people',
  ],
  ...[
    'assistant',
    'the assistant',
    'ai',
    'the ai',
    'model',
    'the model',
    'system',
    'the system',
    'tool',
    'the tool',
    'bot',
    'the bot',
    'chatbot',
    'the chatbot',
    'agent',
    'the agent',
  ],
])

/** Gives the names of the speakers, folded: in full, and each part. */
export function speakersIn(messages: readonly SourceMessage[], others: readonly string[]): ReadonlySet<string> {
  return new Set([...messages.flatMap(({ name }) => name ?? []), ...others].flatMap(namesOf))
}

/**
 * Reads the subject of a fact: '' for the speaker. Undefined for an unclear subject, and for another speaker: only a
 * person's own words become facts about that person.
 */
export function factSubject(subject: string, { name }: SourceMessage, speakers: ReadonlySet<string>): string | undefined {
  const plain = folded(subject).replace(/'s$/, '').trim()
  if (oneself.has(plain) || namesOf(name ?? '').includes(plain)) return ''
  if (nobody.has(plain) || speakers.has(plain)) return undefined
  // The subject "Bo Larsen" is the speaker Bo, who goes by one name here.
  const parts = plain.split(/\s+/)
  return parts.length <= 3 &&
    parts.every((part) => /^\p{L}[\p{L}\p{M}'.-]*$/u.test(part)) &&
    /^\p{Lu}/u.test(subject) &&
    speakers.has(parts[0] ?? '')
    ? undefined
    : subject
}

/** The longest name. A longer text is no name. */
const longestName = 200

function namesOf(name: string): string[] {
  const plain = folded(name.slice(0, longestName)).trim()
  return plain === '' ? [] : [...new Set([plain, ...plain.split(/\s+/)])]
}

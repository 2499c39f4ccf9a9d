import type { SourceMessage } from '../models/writer.ts'
import { folded } from './folded.ts'

/** Words by which a model names the one who speaks. */
const oneself: ReadonlySet<string> = new Set(['', 'i', 'me', 'my', 'myself', 'user', 'the user', 'speaker', 'the speaker'])

/** Words for nobody in particular, and for those who read and write here. */
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

/** The names of those who speak, folded: in full, and each part. */
export function speakersIn(messages: readonly SourceMessage[], others: readonly string[]): ReadonlySet<string> {
  return new Set([...messages.flatMap(({ name }) => name ?? []), ...others].flatMap(namesOf))
}

/**
 * '' for whoever speaks. Undefined for who cannot be told, and for another who speaks: only a person's own words
 * become facts about that person.
 */
export function factSubject(subject: string, { name }: SourceMessage, speakers: ReadonlySet<string>): string | undefined {
  const plain = folded(subject).replace(/'s$/, '').trim()
  if (oneself.has(plain) || namesOf(name ?? '').includes(plain)) return ''
  if (nobody.has(plain) || speakers.has(plain)) return undefined
  // "Bo Larsen" is Bo, who speaks, though he goes by one name here.
  const parts = plain.split(/\s+/)
  return parts.length <= 3 &&
    parts.every((part) => /^\p{L}[\p{L}\p{M}'.-]*$/u.test(part)) &&
    /^\p{Lu}/u.test(subject) &&
    speakers.has(parts[0] ?? '')
    ? undefined
    : subject
}

/** Longer names are no names. */
const longestName = 200

function namesOf(name: string): string[] {
  const plain = folded(name.slice(0, longestName)).trim()
  return plain === '' ? [] : [...new Set([plain, ...plain.split(/\s+/)])]
}

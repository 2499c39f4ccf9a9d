import type { SourceMessage } from '../models/writer.ts'
import { anyWord } from './any-word.ts'
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

/** Words by which a quote speaks of its speaker, in English, German, French and Spanish. */
const ofOneself = anyWord(
  "i|my|me|mine|we|our|us|ich|mein\\p{L}*|wir|uns\\p{L}*|je|j'\\p{L}+|mon|ma|mes|nous|notre|yo|mi|mis|nosotros|nuestr\\p{L}*",
)

/** Ends of short names: Margo, Jenny, Charlie. */
const shortEnd = /(?:ie|[yio])$/

/** Tells whether a name is a short one of a speaker's: the begin of it, or that with an end. */
function isShortFor(short: string, names: Iterable<string>): boolean {
  if (!/^\p{L}{3,8}$/u.test(short)) return false
  const begins = [short, short.replace(shortEnd, '')].filter(({ length }) => length >= 3)
  return [...names].some((name) => name.length >= short.length && name !== short && begins.some((begin) => name.startsWith(begin)))
}

/** Tells whether a message speaks to somebody by a name: "No worries, Margo!" */
function speaksTo(name: string, text: string): boolean {
  const read = folded(text)
  for (let at = read.indexOf(name); at !== -1; at = read.indexOf(name, at + 1)) {
    const isAlone = /(?:^|[,.!?]|(?<!\p{L})(?:hey|hi|hello|thanks|thank you|wow|oh|ok|okay|yeah|yes|no))\s*$/u.test(
      read.slice(Math.max(0, at - 12), at),
    )
    if (isAlone && /^\s*(?:[,.!?]|$)/.test(read.slice(at + name.length))) return true
  }
  return false
}

/**
 * Reads the subject of a fact: '' for the speaker, also by a short name beside "I" and "my". Undefined for an unclear
 * subject, and for another speaker: only a person's own words become facts about that person.
 */
export function factSubject(
  subject: string,
  { name, text }: SourceMessage,
  speakers: ReadonlySet<string>,
  quote = text,
): string | undefined {
  const plain = folded(subject).replace(/'s$/, '').trim()
  const own = namesOf(name ?? '')
  if (oneself.has(plain) || own.includes(plain)) return ''
  if (nobody.has(plain) || speakers.has(plain)) return undefined
  if (isShortFor(plain, own) && ofOneself.test(folded(quote)) && !folded(text).includes(plain)) return ''
  if (isShortFor(plain, speakers) && speaksTo(plain, text)) return undefined
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

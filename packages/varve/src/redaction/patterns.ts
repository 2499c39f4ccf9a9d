import { findAssignments } from './assignments.ts'
import type { Finding } from './finding.ts'

/** A secret that the preset does not know. A group of the pattern, if any, is the secret alone. */
interface Pattern {
  readonly label: string
  readonly pattern: RegExp
}

// Every repetition has a bound. Every pattern begins with a literal, or cannot begin again within a run that it has
// read. So the work for a text is at most its length times a small constant.
const endOfKey = String.raw`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`
const keyBody = String.raw`(?:[^-]|-(?!----)){0,16000}`
// A key that was cut off has no end, only lines of base64; in JSON the line ends are escaped.
const keyLines = String.raw`(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{16,100}){1,400}`

const patterns: readonly Pattern[] = [
  {
    label: 'private key',
    pattern: new RegExp(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${keyBody}${endOfKey}|${keyLines})`, 'g'),
  },
  { label: 'private key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,70}\b/g },
  { label: 'JWT', pattern: /(?<![\w-])eyJ[\w-]{8,4000}(?:\.[\w-]{0,4000}){2,4}/g },
  {
    label: 'authorization',
    pattern: /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:[A-Za-z][A-Za-z-]{1,20}[ \t]{1,3})?([^\s"',;<>[\]]{8,4096})/gi,
  },
  { label: 'bearer token', pattern: /\bbearer[ \t]{1,3}((?=[A-Za-z._~+/=-]{0,256}\d)[\w.~+/=-]{16,4096})/gi },
  // Web addresses have ports, paths and @ of their own, so a password there holds none of / ? #.
  { label: 'password', pattern: /(?<=\b(?:https?|ftps?|wss?):\/\/[^\s/:@?#"'<>]{0,256}:)([^\s/?#"'<>]{1,256})(?=@[\w[])/gi },
  {
    label: 'password',
    pattern: new RegExp(
      String.raw`(?<=\b(?!https?:|ftps?:|` +
        String.raw`wss?:)[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@?#"'<>]{0,256}:)((?!\d{1,5}(?:[/?#,]|` +
        String.raw`$))[^\s"'<>]{1,256})(?=@[\w[])`,
      'gi',
    ),
  },
  { label: 'Google key', pattern: /(?<![\w-])(?:AIza[\w-]{35}|GOCSPX-[\w-]{20,40}|ya29\.[\w-]{20,2000})(?![\w-])/g },
  { label: 'API key', pattern: /(?<![\w-])sk-(?=[A-Za-z_-]{0,64}\d)[\w-]{24,200}(?![\w-])/g },
  { label: 'Telegram token', pattern: /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { label: 'Azure signature', pattern: /(?<=[?&]sig=)[A-Za-z0-9%+/]{40,80}={0,2}/g },
]

/** Finds the secrets of our own table, and values behind a telling name. */
export function findByPatterns(text: string): Finding[] {
  return [...patterns.flatMap((each) => findAll(text, each)), ...findAssignments(text)]
}

function findAll(text: string, { label, pattern }: Pattern): Finding[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const secret = match[1] ?? match[0]
    const from = match.index + match[0].length - secret.length
    return { from, to: from + secret.length, label, specific: true }
  })
}

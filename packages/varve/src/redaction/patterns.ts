import { findAssignments } from './assignments.ts'
import { commandPatterns } from './commands.ts'
import { lockCombinations } from './door-codes.ts'
import type { Finding } from './finding.ts'
import { nearDigits } from './near-digits.ts'
import { findAll, findInGroups, type Pattern, type PatternGroup } from './pattern.ts'
import { findPersonalNumbers } from './personal-numbers.ts'
import { findProviderTokens, secretAddresses } from './provider-tokens.ts'
import { filePatterns } from './secret-files.ts'
import { findSeedPhrases } from './seed-phrases.ts'
import { letteredCodes, securityAnswers, spokenCodes } from './spoken-codes.ts'
import { licences } from './spoken-keys.ts'
import { findSpokenPasswords } from './spoken-logins.ts'

// Every repetition has a bound. Every pattern begins with a literal, or cannot begin again within a run that it has
// read. So the work for a text is at most its length times a small constant.
const endOfKey = String.raw`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`
const keyBody = String.raw`(?:[^-]|-(?!----)){0,16000}`
// A key that was cut off has no end, only lines of base64; in JSON the line ends are escaped.
const keyLines = String.raw`(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{16,100}){1,400}`

/** Variables and placeholders in the place of a secret. */
const isFilled = (secret: string): boolean =>
  !/^(?:[$%<{*[]|(?:pass(?:word|wd)?|pwd|secret|token|required|optional|none|null|xxx+|your[_-]?\w{0,30})$)/i.test(secret)

const address = /:\/\/[^\s@]{0,512}@/

const patterns: readonly Pattern[] = [
  {
    label: 'private key',
    pattern: new RegExp(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${keyBody}${endOfKey}|${keyLines})`, 'g'),
  },
  { label: 'private key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,70}\b/g },
  { label: 'JWT', pattern: /(?<![\w-])eyJ[\w-]{8,4000}(?:\.[\w-]{0,4000}){2,4}/g },
  {
    label: 'authorization',
    isSecret: isFilled,
    pattern: /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:[A-Za-z][A-Za-z-]{1,20}[ \t]{1,3})?(?<secret>[^\s"',;<>[\]]{8,4096})/gi,
  },
  { label: 'bearer token', pattern: /\bbearer[ \t]{1,3}(?<secret>(?=[A-Za-z._~+/=-]{0,256}\d)[\w.~+/=-]{16,4096})/gi },
  // Web addresses have ports, paths and @ of their own, so a password there holds none of / ? #.
  {
    label: 'password',
    trace: address,
    isSecret: isFilled,
    pattern: /(?<=\b(?:https?|ftps?|wss?):\/\/[^\s/:@?#"'<>]{0,256}:)(?<secret>[^\s/?#"'<>]{1,256})(?=@[\w[])/gi,
  },
  {
    label: 'password',
    trace: address,
    isSecret: isFilled,
    pattern: new RegExp(
      String.raw`(?<=\b(?!https?:|ftps?:|` +
        String.raw`wss?:)[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@?#"'<>]{0,256}:)(?<secret>(?!\d{1,5}(?:[/?#,]|` +
        String.raw`$))[^\s"'<>]{1,256})(?=@[\w[])`,
      'gi',
    ),
  },
  { label: 'Google key', pattern: /(?<![\w-])(?:AIza[\w-]{35}|GOCSPX-[\w-]{20,40}|ya29\.[\w-]{20,2000})(?![\w-])/g },
  { label: 'API key', pattern: /(?<![\w-])sk-(?=[A-Za-z_-]{0,64}\d)[\w-]{24,200}(?![\w-])/g },
  { label: 'Telegram token', pattern: /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { label: 'Azure signature', trace: /sig=/, pattern: /(?<=[?&]sig=)[A-Za-z0-9%+/]{40,80}={0,2}/g },
]

const textGroups: readonly PatternGroup[] = [...securityAnswers, ...letteredCodes, ...lockCombinations]

/** Finds the secrets of our own tables, and values behind a telling name. */
export function findByPatterns(text: string): Finding[] {
  const lower = lowered(text)
  const found = [...findAll(text, patterns), ...findAssignments(text), ...findSpokenPasswords(text, lower), ...findSeedPhrases(text)]
  found.push(...findInGroups(text, lower, textGroups), ...findAll(text, commandPatterns(text)), ...findAll(text, filePatterns(text)))
  found.push(...findAll(text, licences), ...findProviderTokens(text), ...findInGroups(text, lower, secretAddresses))
  for (const part of nearDigits(text)) found.push(...moved(findNumbers(part.text), part.from))
  return found
}

function findNumbers(text: string): Finding[] {
  const lower = lowered(text)
  return [...findInGroups(text, lower, spokenCodes), ...findPersonalNumbers(text, lower)]
}

function moved(found: readonly Finding[], by: number): Finding[] {
  return found.map((each) => ({ ...each, from: each.from + by, to: each.to + by }))
}

/** The text in lower case, between blanks: ' pin' finds the first word too. */
function lowered(text: string): string {
  return ` ${text.toLowerCase()} `
}

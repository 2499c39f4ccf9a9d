import type { Finding } from './finding.ts'
import { isIdentifier, isRemark } from './secret-word.ts'

// Names as people and programs spell them. Anything may stand before a name (DB_PASSWORD), little after it (PASSWORD_PROD).
const passwordNames =
  'passwords?|passwd|passphrase|passcode|pwd|passwort|kennwort|contraseña|senha|mot de passe|wachtwoord|lösenord|hasło|пароль|密码|パスワード'
const keyNames =
  'api[_ -]?key|(?:access|secret|private|encryption|signing|account|master|auth|service|webhook|license)[_-]?key|' +
  'client[_-]?secret|secret|(?:access|auth|refresh|bot|id|session|deploy)?[_-]?token|credentials?'
const suffix = '(?:[_-]?(?:base|base64|b64|prod|production|dev|test|staging|live|old|new|id|value|\\d{1,3}))?'
const bare = '[^\\s"\'`,;<>(){}]{4,512}'
const quoted = ['"', "'", '`'].map((mark) => `${mark}[^${mark}\\r\\n]{4,512}${mark}`).join('|')

const assignment = new RegExp(
  String.raw`(?:(?<password>${passwordNames})|(?<key>${keyNames}))(?<suffix>${suffix})["'\]]{0,2}(?<sign>\s{0,3}(?:=>|:=|` +
    String.raw`[=:：]|(?<=\s)(?:is|was|ist|est|es|è)(?=\s))\s{0,3})(?<value>${quoted}|${bare})(?<call>\(?)`,
  'giu',
)

/** A part of every name. */
const anyName = /pass|pwd|kennwort|contraseña|senha|mot de|wachtwoord|lösenord|hasło|парол|密|パス|key|secret|token|credential/i

/** Text in the place of a secret: names of types, variables and placeholders. */
const placeholder = new RegExp(
  String.raw`^(?:\[redacted|\$|%|\{|\*+$|x+$|\.+$|(?:process|import|os|env|config|settings|self|this|ctx|req|` +
    String.raw`request|body|user|params|args|data)\b[.[]|z\.|(?:string|number|boolean|text|varchar|null|none|nil|` +
    String.raw`true|false|undefined|required|optional|hidden|secret|token|password|passwd|pwd|changeme|example|` +
    String.raw`your[_-][\w-]{0,30}|your\w{0,30}|my[_-]\w{0,30}|my(?:secret|password|token|key))\b[^\w]*$)`,
  'i',
)

/** A symbol that is rare in spoken words and in names of programs. */
const symbol = /[!@#$%^&*+=~?]\S|\d\S*[/|]/

/**
 * Finds values behind a telling name: `DB_PASSWORD=…`, `"apiKey": "…"`, `password is …`. Some values always count: a
 * value that touches a name in capitals, and a quoted or touching password. Any other value must look like a secret.
 */
export function findAssignments(text: string): Finding[] {
  if (!anyName.test(text)) return []
  const found: Finding[] = []
  for (const match of text.matchAll(assignment)) {
    const { password, key, sign = '', value: written = '', call = '' } = match.groups ?? {}
    const isQuoted = /^["'`]/.test(written)
    const value = isQuoted ? written.slice(1, -1) : withoutStop(written)
    if (
      call !== '' ||
      placeholder.test(value) ||
      !isSecret({ name: password ?? key ?? '', isPassword: password !== undefined, sign, value, isQuoted })
    )
      continue
    const from = match.index + match[0].length - written.length - call.length + (isQuoted ? 1 : 0)
    found.push({ from, to: from + value.length, label: password === undefined ? 'secret' : 'password', specific: false })
  }
  return found
}

interface Assignment {
  readonly name: string
  readonly isPassword: boolean
  readonly sign: string
  readonly value: string
  readonly isQuoted: boolean
}

function isSecret({ name, isPassword, sign, value, isQuoted }: Assignment): boolean {
  const isTight = sign === '='
  const isWord = /\p{L}/u.test(sign)
  // No secrets: a folder in PWD, and a count.
  if (/^pwd$/i.test(name) ? /^[/~]/.test(value) : !isPassword && /^\d{1,11}$/.test(value)) return false
  if (isTight && name === name.toUpperCase() && name !== name.toLowerCase()) return true
  if (!isQuoted && (isIdentifier(value) || isRemark(value))) return false
  if (isPassword && (isTight || (isQuoted && !isWord))) return value.trim() !== '' && !/\s\S+\s/.test(value)
  if (/\s/.test(value)) return false
  const mixed = /\d/.test(value) && /\p{L}/u.test(value)
  return value.length >= (isPassword ? 6 : 12) && (mixed || symbol.test(value))
}

/** Removes the stop that ends a sentence: it is no part of a password. */
function withoutStop(value: string): string {
  return value.replace(/[.!?]$/, '')
}

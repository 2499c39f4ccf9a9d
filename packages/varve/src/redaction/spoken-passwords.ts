import { wordStart } from './code-parts.ts'
import { matchesOf } from '../messages/matches-of.ts'
import { patternOf } from './pattern.ts'
import type { Finding } from './finding.ts'
import { endsClause, isIdentifier, isPhrase, isRemark, isSpelt, type Strength, strengthOf } from './secret-word.ts'

/** Texts without such a word are read no further. */
export const mention = new RegExp(
  String.raw`pass|pasw|pw|psw|mot de|kennwort|losung|schlüssel|contrase|clave|senha|parola|wachtwoord|\bww\b|mdp|psk|wpa|wi-?fi|` +
    String.raw`wlan|ssid|lösenord|key\s?[:=]|` +
    String.raw`adgangskode|hasł|парол|密|口令|パス|鍵|キー|비밀번호|şifre|parole|heslo|jelsz|credential|\bcreds?\b`,
)

export const nouns =
  String.raw`(?:passwords?|passwd|(?:key|code|schlüssel|clave|clé|chiave|chave)\s(?:for|to|of|für|zum|vom|del|du|per|do)\s(?:(?:the|` +
  String.raw`our|my|das|unser|le|il)\s)?(?:wi-?fi|wlan)|pass[ -]?phrase|pass[ -]?code|pass ?word|passwort|kennwort|` +
  String.raw`contrase(?:ñ|n)a|senha|palavra-passe|parola d['’ ]?ordine|wachtwoord|mots? de passe?|(?<![A-Za-z0-9])(?:mdp|pwd?|` +
  String.raw`psk)(?![A-Za-z0-9+/])|` +
  String.raw`(?:wi-?fi|wpa[23]?|wep|hotspot|router|network security)[ -]?(?:key|code|pw|pass|schlüssel|passwort|wachtwoord|` +
  String.raw`sleutel)|(?:wlan|wi-?fi)[ -]?(?:schlüssel|code|key|pw)|` +
  String.raw`(?:clave|código|cl[ée]|code|chiave|chave)(?: (?:del?|du|da|do|della) (?:la |le )?)? ?wi-?fi|` +
  String.raw`lösenord(?:et)?|adgangskode(?:n)?|passord(?:et)?|salasana|hasło|heslo|jelszó|şifre|пароль|parole|pas{1,3}w(?:o?r?d|` +
  String.raw`rod|oord|ort|erd|ard)s?|` +
  String.raw`pa?ss?wo?rd|passowrd|passwod|pswd|wachtword|wachwoord|kenwort)`

/** Words that are often something else than a password. Their value must be strong, or stand beside a user’s name. */
export const weakNouns = String.raw`(?:(?<!the )pass|clave|chave|ww|losung|parola|login code|creds?|credentials|zugangsdaten)`

export const about =
  String.raw`(?:\s(?:wi-?fi|wlan|nova|novo|nueva|nuova|nouveau|actuel|actual|atual|attuale|vieja|antiga|vecchia|ancien|principal|` +
  String.raw`geral|here|hier|aquí|aqui|ici|qui))?` +
  String.raw`(?:\s(?:for|to|of|on|at|from|über|für|fürs|beim|am|auf|vom|von|zum|zur|des|der|im|del?|de la|du|da|do|para|por|pour|` +
  String.raw`van|voor|per|di|della|` +
  String.raw`dello|al)` +
  String.raw`(?:\s[A-Za-zÀ-ɏ0-9'’_.@/-]{1,30}){1,5}?)?`

const verbs =
  String.raw`(?:is|was|are|ist|war|lautet|lautete|heißt|heisst|es|era|est|était|c['’]est|é|è|será|to be|remains|stays|` +
  String.raw`reads|jest|är|er|on|это|wird)`
const softly =
  String.raw`(?:\s(?:now|still|currently|simply|just|einfach|noch|immer noch|simplement|toujours|semplicemente|ancora|` +
  String.raw`gewoon|todavía|simplesmente|jetzt|nun|ahora|maintenant|agora|adesso|nu|also))?`
export const link = String.raw`(?:\s{0,3}(?:[:：=＝→]|->|=>|—|–)\s{0,3}|(?:[ \t]|,\s)${verbs}${softly}\s{0,2}[:：]?\s{0,2})`

/** A text within a pair of quotation marks, the marks with it. */
const quoted = `(?<quoted>${['""', "''", '“”', '„“', '„”', '«»', '‹›', '‘’', '‚‘', '``', '「」', '『』'].map(within).join('|')})`

function within(pair: string): string {
  const [open = '', close = ''] = pair
  return `${open}[^${open}${close}\\n]{3,80}${close}`
}

export const bare = String.raw`(?<bare>[^\s"'“”„«»\x60<>,;，。；、「」()（）{}[\]]{4,256})`
export const value = `(?:${quoted}|${bare})`

export interface SpokenRule {
  readonly pattern: RegExp
  /** A cheap sign in the text in lower case: a text without it has no match. Rules that share one share its search. */
  readonly trace?: RegExp
  /** The least strength of a value; a `word` must also end its clause. */
  readonly least: Strength
  /** A value in quotation marks counts, whatever it looks like. */
  readonly quotes: boolean
  /** A strong value must end its clause too. */
  readonly ends?: boolean
  /** Names of programs count: talk has none here. */
  readonly names?: boolean
}

const users =
  String.raw`(?:user(?:[ -]?name|[ -]?id)?|login|e?-?mail|account|benutzer(?:name)?|nutzer|usuario|utente|` +
  String.raw`gebruiker(?:snaam)?|identifiant|utilisateur|usuário|ssid|network|(?:wi-?fi|wlan|network)(?: name)?|netz|账号|用户名)`

/** Any noun for a password. */
export const anyNoun = new RegExp(nouns)

export const spoken: readonly SpokenRule[] = [
  // password: swordfish · the password for the NAS is …
  { trace: anyNoun, pattern: patternOf('i', nouns, about, link, value), least: 'word', quotes: true },
  // my password's mango77 · my email password? It's …
  {
    trace: anyNoun,
    pattern: patternOf(
      'i',
      nouns,
      about,
      String.raw`(?:['’]s\s|[^\n.!?]{0,30}[,?.!]\s(?:(?:it['’]?s|it is|that['’]?s|which is|namely|es ist|c['’]est)\s)?)`,
      String.raw`(?=[^\s\d]{0,40}\d)(?=[^A-Za-z\s]{0,40}[A-Za-z])`,
      bare,
    ),
    least: 'strong',
    quotes: false,
  },
  // my Gmail password here is … · the passphrase: four words
  {
    trace: anyNoun,
    pattern: patternOf('i', nouns, String.raw`(?:\s[A-Za-zÀ-ɏ0-9'’-]{1,24}){1,2}?`, link, value),
    least: 'strong',
    quotes: false,
  },
  // the passphrase is correct horse battery staple
  {
    pattern: patternOf(
      'i',
      String.raw`(?:pass[ -]?phrase|passwort-?satz|frase (?:de )?(?:contraseña|acceso|paso|senha)|phrase (?:de passe|secrète)|` +
        String.raw`frase segreta|wachtwoordzin|` +
        String.raw`wachtzin|passwords?|passwort|kennwort|mot de passe|senha)`,
      about,
      link,
      String.raw`(?<phrase>[a-zà-ÿ]{2,14}(?:[ -][a-zà-ÿ]{2,14}){2,9})(?=[.!]?\s{0,3}(?:$|\n|[,;(]))`,
    ),
    least: 'strong',
    quotes: false,
  },
  // password “open sesame” · password qwerty123
  { trace: anyNoun, pattern: patternOf('i', nouns, about, String.raw`[ \t]{1,2}`, value), least: 'strong', quotes: true },
  { pattern: patternOf('i', wordStart, weakNouns, about, link, value), least: 'strong', quotes: true },
  // a line of notes: pw: tulips
  {
    pattern: patternOf('i', String.raw`(?:^|\n)[ \t]{0,8}(?:[-*•]\s)?`, weakNouns, String.raw`\s{0,2}[:=]\s{0,2}`, value),
    least: 'word',
    quotes: true,
  },
  // user ada, password tulips · Wi-Fi: Garden / tulips
  {
    pattern: patternOf(
      'iu',
      wordStart,
      users,
      String.raw`(?:\s{0,2}[:：=]\s{0,2}|\s{1,2}(?:(?:is|is called|is named|called|heißt|heisst|se llama|s['’]appelle|si chiama|` +
        String.raw`heet)\s)?)["'“„]?[^\s,;/|"'”“]{1,64}["'”“]?\s{0,2}[,;/|\n，、 ]\s{0,3}(?:(?:and|und|y|et|` +
        String.raw`e|en)\s)?`,
      String.raw`(?:(?:the|your|its|das|la|le|il|el)\s)?(?:${nouns}|${weakNouns}|key|psk|schlüssel)(?:\s{0,2}[:：=]\s{0,2}|` +
        String.raw`[ \t]{1,2}(?:is\s|ist\s|es\s)?)`,
      value,
    ),
    least: 'word',
    quotes: true,
  },
  {
    pattern: patternOf('i', wordStart, String.raw`(?:wi-?fi|wlan|ssid)\s{0,2}[:：]\s{0,2}[^\s,;/|]{1,40}\s{0,2}[/|,]\s{0,2}`, bare),
    least: 'strong',
    quotes: false,
  },
  {
    pattern: patternOf('i', wordStart, String.raw`(?:wi-?fi|wlan)[ -](?:pw|pass|password|passwort)[ \t]{1,2}`, bare),
    least: 'word',
    quotes: false,
  },
  // changed my password to … · mein Passwort auf … geändert
  {
    trace: anyNoun,
    pattern: patternOf(
      'iu',
      wordStart,
      String.raw`(?:changed?|set|reset|updated?|switched|rotated|made|cambi[A-Za-zÀ-ɏ]{1,5}|chang[A-Za-zÀ-ɏ]{1,4}|mud[A-Za-zÀ-ɏ]{1,4}|` +
        String.raw`alter[A-Za-zÀ-ɏ]{1,4}|`,
      String.raw`modifi[A-Za-zÀ-ɏ]{1,4}|geändert|veranderd?|` +
        String.raw`gesetzt)(?![A-Za-zÀ-ɏ])(?:\s[A-Za-zÀ-ɏ'’-]{1,20}){0,4}?\s${nouns}${about}\s(?:to|into|auf|zu|in|en|a|à|para|por|` +
        String.raw`naar|su|com)\s`,
      value,
    ),
    least: 'word',
    quotes: true,
  },
  {
    trace: anyNoun,
    pattern: patternOf(
      'i',
      nouns,
      about,
      String.raw`\s(?:(?:geändert|veranderd|gewijzigd|gezet|changed|gesetzt)\s)?(?:to|auf|naar|para|in)\s(?!1password)`,
      value,
    ),
    least: 'strong',
    quotes: false,
  },
  // tulips99 as the password
  {
    trace: anyNoun,
    pattern: patternOf(
      'i',
      String.raw`(?<!\S)`,
      value,
      String.raw`\s(?:as|als|como|comme|come)\s(?:(?:the|my|your|a|das|mein|la|mi|le|mon|il|minha)\s)?${nouns}`,
    ),
    least: 'strong',
    quotes: true,
  },
  // creds: ada:hunter22
  {
    trace: /cred|login|zugangsdaten/,
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:creds?|credentials?|login|zugangsdaten)(?:\s(?:is|are|ist|lautet))?\s{0,2}[:：=]?\s{1,2}[\w.@-]{1,64}[:/]\s?`,
      bare,
    ),
    least: 'strong',
    quotes: false,
  },
  // 密码是… · パスワードは…です
  {
    pattern: patternOf(
      'iu',
      String.raw`(?:密码|密碼|口令|パスワード|パスフレーズ|パス|(?<![A-Za-z0-9])PW(?![A-Za-z0-9])|暗号化キー|セキュリティキー|비밀번호|비번|密钥|` +
        String.raw`网络密钥)(?:[^\x00-\x7f\s。，、；]{0,8}?)`,
      String.raw`\s{0,2}(?:[:：=＝]|是|为|為|就是|改成了?|改为|设为|设成|設為|は|を|が|는|은|이|[ ])?\s{0,2}["'“「『]?`,
      String.raw`(?<bare>(?:[\x21-\x26\x28-\x2b\x2d-\x3a\x3d\x3f-\x7e]){4,128})`,
    ),
    least: 'word',
    quotes: false,
  },
]

/** Finds the passwords of some rules. */
export function findSpoken(text: string, lower: string, rules: readonly SpokenRule[]): Finding[] {
  const seen = new Map<RegExp, boolean>()
  const has = (trace: RegExp): boolean => {
    const known = seen.get(trace) ?? trace.test(lower)
    seen.set(trace, known)
    return known
  }
  return rules.flatMap((each) => (each.trace === undefined || has(each.trace) ? findOne(text, each) : []))
}

function findOne(text: string, { pattern, least, quotes, ends = false, names = false }: SpokenRule): Finding[] {
  const found: Finding[] = []
  for (const match of matchesOf(text, pattern)) {
    const phrase = match.groups?.['phrase']
    const inQuotes = phrase ?? match.groups?.['quoted']?.slice(1, -1)
    const written = inQuotes ?? match.groups?.['bare'] ?? ''
    const secret = inQuotes ?? withoutStop(written)
    const from = match.index + match[0].lastIndexOf(written)
    const to = from + secret.length
    const rest = text.slice(to, to + 60)
    if (
      phrase !== undefined
        ? isWholePhrase(phrase, least)
        : inQuotes !== undefined
          ? quotes && isQuoted(secret)
          : isBare(secret, rest, { least, ends, names })
    )
      found.push({ from, to, label: 'password', specific: false })
  }
  return found
}

/** Removes what ends a sentence: it is no part of a password. */
function withoutStop(written: string): string {
  return written.replace(/[.:…*_]+$/, '').replace(/(?<=^[\p{L}\p{N}-]+)[!?]$/u, '')
}

function isBare(secret: string, rest: string, { least, ends, names }: Required<Pick<SpokenRule, 'least' | 'ends' | 'names'>>): boolean {
  // A name of a program: a call, or a part of something.
  if (/^[([]|^\.\p{L}/u.test(rest)) return false
  const isName = isIdentifier(secret) && !isRemark(secret)
  if (isSpelt(rest) && (isName || strengthOf(secret) !== 'none')) return true
  const strength = names && isName && secret.length >= 6 ? 'word' : strengthOf(secret)
  if (strength === 'strong') return (!ends || endsClause(rest)) && (!/^\d+$/.test(secret) || isCode(secret, rest))
  return strength === 'word' && least === 'word' && endsClause(rest)
}

function isCode(secret: string, rest: string): boolean {
  return secret.length >= 4 && !/^\s?(?:characters|chars|digits|zeichen|caracteres|days|times|%)/i.test(rest)
}

/** Behind a noun that means a word, two words are a phrase; behind any other noun, three. */
function isWholePhrase(phrase: string, least: Strength): boolean {
  return phrase.split(/[\s-]/).length >= (least === 'word' ? 2 : 3) && isPhrase(phrase)
}

function isQuoted(secret: string): boolean {
  const words = secret.trim().split(/\s+/)
  if (words.length === 1) return strengthOf(secret) !== 'none'
  return words.length <= 8 && secret.length >= 6 && !/[{}()<>;=]/.test(secret)
}

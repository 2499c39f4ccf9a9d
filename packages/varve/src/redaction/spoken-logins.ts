import { wordStart } from './code-parts.ts'
import type { Finding } from './finding.ts'
import { patternOf } from './pattern.ts'
import { about, anyNoun, bare, findSpoken, link, mention, nouns, type SpokenRule, spoken, value, weakNouns } from './spoken-passwords.ts'

// Passwords in sentences that give them beside something else: a user's name, a network, a question, an older password.

const user = String.raw`["'“„]?[^\s,;/|"'“”:]{1,64}["'”“]?`
const mixed = String.raw`(?=[^\s\d]{0,60}\d)(?=[^\sA-Za-zÀ-ɏ]{0,60}[A-Za-zÀ-ɏ])`
const logIn =
  String.raw`(?:log(?:ged|ging|s)?[ -]?(?:in|on|into)|sign(?:ed|s)?[ -]?(?:in|on|into)|credentials?|creds?|access|account|` +
  String.raw`zugang(?:sdaten)?|anmeld\w{0,3}|` +
  String.raw`einlogg\w{0,2}|melde?\s(?:dich|mich|dir)|logg\w{0,2}|connexion|connecte\w{0,5}|identifiants?|acceso|entra\w{0,2}|` +
  String.raw`iniciar sesión|accesso|accedi|acesso|inlogg\w{0,2}|inlog)`
const withWord = String.raw`(?:with|as|using|is|are|mit|als|con|como|avec|comme|com|come|met)`
const own =
  String.raw`(?:my|our|your|his|her|their|its|new|old|gpg|ssh|wi-?fi|netflix|amazon|spotify|steam|router|server|zip|pdf|vpn|ftp|` +
  String.raw`nas|login|admin|root|guest|user|e?-?mail|account|mi|tu|su|nuestra|la nueva|minha|tua|sua|nossa|` +
  String.raw`mijn|jouw|ons|onze|mein|dein|unser|ma|ta|notre|votre|mia|tua|nostra)`
const codeWords =
  String.raw`(?:(?:pass[ -]words?(?![A-Za-z])|(?:code|safe|magic|secret|memorable|safety|watch|challenge|verbal|telephone|phone|` +
  String.raw`security)[ -]?words?(?![A-Za-z]))|` +
  String.raw`(?:verbal|telephone|phone|telephone banking) password|(?:code|losungs|zauber|sicherheits|geheim|telefon|` +
  String.raw`kunden)-?(?:wort|kennwort)|` +
  String.raw`palabra (?:secreta|de paso|de seguridad|mágica)|contraseña telefónica|palavra secreta|mot (?:secret|magique|de code|` +
  String.raw`de sécurité)|` +
  String.raw`parola (?:segreta|magica|in codice|di sicurezza)|(?:code|geheim|veiligheids)woord|codewoord|geheime woord|toverwoord)`
const itIs = String.raw`(?:it['’]?s|it is|that['’]?s|that is|das ist|es ist|er ist|c['’]est|es|é|è|het is|dat is)`
const aged =
  String.raw`(?:new|old|current|other|second|previous|last|neue|alte|nueva|nuevo|vieja|nouveau|nouvelle|ancien|nuova|` +
  String.raw`vecchia|nova|antiga|nieuwe|oude)`
const questioned =
  String.raw`(?:wi-?fi|wlan|pin|(?<!(?:error|zip|area|status|exit|post|postal|promo|country|dress|source) )codes?|combo|` +
  String.raw`combination|alarm|safe|` +
  String.raw`login|creds?|key|(?:front |back )?door|gate|código|codice|schlüssel|geheimzahl|clé)`

const slash = /\s[/|]\s/
const loggingIn = new RegExp(logIn)
const anyCodeWord = /[ -]?words?\b|wort|palabra|palavra|\bmot\b|parola|woord|verbal|phone|telef/
const network = /wi-?fi|wlan|network|ssid|hotspot|router|netz|réseau|rete|rede|netwerk/
const question = /(?:\?|what|which|wie|was)[^\n]{0,80}\n/
const nounOrWeak = new RegExp(`${nouns}|${weakNouns}`)

const logins: readonly SpokenRule[] = [
  // log in with bob / tulips12 · access: bob | tulips12
  {
    trace: slash,
    pattern: patternOf(
      'i',
      wordStart,
      logIn,
      String.raw`(?:[^\n]{0,40}?\s${withWord}|\s?[:=→])\s`,
      user,
      String.raw`\s[/|]\s`,
      mixed,
      bare,
    ),
    least: 'strong',
    quotes: true,
    ends: true,
  },
  // sign in as guest with tulips12 · log in with bob and tulips12
  {
    trace: loggingIn,
    pattern: patternOf(
      'i',
      wordStart,
      logIn,
      String.raw`[^\n]{0,40}?\s(?:as|als|como|comme|come|with|using|mit|con|avec|com|met)\s(?:user\s)?`,
      user,
      String.raw`(?:\s(?:with|using|and|plus|mit|und|con|y|avec|et|com|e|met|en)|,)\s(?:the\s)?`,
      mixed,
      bare,
    ),
    least: 'strong',
    quotes: false,
    ends: true,
  },
  // kim / tulips12 is the login
  {
    trace: slash,
    pattern: patternOf(
      'i',
      String.raw`(?<![^\s"'(])[\w.@-]{2,48}\s[/|]\s`,
      mixed,
      bare,
      String.raw`(?=[^.\n]{0,24}\b(?:log[ -]?in|account|creds|credentials|anmeld|zugang|access\b|password))`,
    ),
    least: 'strong',
    quotes: false,
  },
  // root / tulips12
  {
    trace: slash,
    pattern: patternOf('i', wordStart, String.raw`(?:root|admin|administrator|guest|demo|test|pi|ubuntu|postgres|sa)\s[/|]\s`, mixed, bare),
    least: 'strong',
    quotes: false,
    ends: true,
  },
  // pass is tulips, user is kim
  {
    trace: nounOrWeak,
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`pass(?:\s?[:=]\s?|\sis\s)`,
      bare,
      String.raw`(?=[,;]?\s(?:and\s)?(?:the\s)?(?:user(?:name)?|login|e?-?mail|account|id)(?![A-Za-z]))`,
    ),
    least: 'word',
    quotes: false,
    names: true,
  },
  // the password’s tulips
  { trace: anyNoun, pattern: patternOf('i', nouns, String.raw`['’]s\s(?:still |now |just )?`, value), least: 'word', quotes: true },
  // unlock the file with tulips12
  {
    trace: /lock|open|crypt|zip|öffne/,
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:unlocks?|opens?|decrypts?|unzips?|entschlüssel\w{0,2}|öffnen?)\s[^\n.]{0,30}?\s?(?:with|using|` +
        String.raw`mit)\s(?:the password\s)?`,
      String.raw`(?=[^\s\d]{3,60}\d)`,
      bare,
    ),
    least: 'strong',
    quotes: false,
    ends: true,
  },
  // mit lisa / tulpen22 anmelden
  {
    trace: /[/|:]/,
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:mit|als|met|con|avec|com)\s`,
      user,
      String.raw`\s?[/|:]\s?(?!/)`,
      mixed,
      bare,
      String.raw`(?=[^.\n]{0,24}\b(?:anmeld|angemeld|einlogg|eingeloggt|rein|inlogg|ingelogd|binnen|entrar|acceder|accedere|connecter))`,
    ),
    least: 'strong',
    quotes: false,
  },
  // jo@acme.org / tulips12 · jo@acme.org, pass rainyTulips
  {
    trace: /@/,
    pattern: patternOf('i', String.raw`[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}(?:\s?[/|]\s|\s[/|]|:)(?![^\s]{0,80}/)`, mixed, bare),
    least: 'strong',
    quotes: false,
  },
  {
    trace: nounOrWeak,
    pattern: patternOf(
      'i',
      String.raw`(?:@[\w-]{1,64}\.[\w.-]{2,64}|${wordStart}(?:user(?:name)?|login|account|benutzer|usuario|utente|gebruiker|utilisateur|` +
        String.raw`usuário)\s?[:=]?\s`,
      String.raw`(?!is\b)[\w.@-]{1,64})\s{0,2}[,;/|\n ]\s{0,3}(?:(?:and|und|y|et|e|en|with|mit|con|avec|com|met)\s)?(?:the\s)?`,
      String.raw`(?:pass|pw|pwd|password|passwort|kennwort|mdp|clave|senha|ww|wachtwoord|contraseña|code)(?:\s?[:=→]\s?|\s(?:is\s|` +
        String.raw`ist\s)?)`,
      bare,
    ),
    least: 'word',
    quotes: false,
    names: true,
  },
  // Wi-Fi here is “Garden”, key 8f3k · wifi: tulips99
  {
    trace: network,
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:wi-?fi|wlan|network|ssid|hotspot|router|netz(?:werk)?|réseau|rete|rede|` +
        String.raw`netwerk)(?![A-Za-z])[^.\n]{0,60}?[,;:(/–—-]\s{0,2}`,
      String.raw`(?:(?:the|and|its|der|la|le|die|het|de)\s)?(?:key|code|pw|pass(?:word)?|schlüssel|clave|clé|chiave|chave|senha|` +
        String.raw`sleutel|wachtwoord)`,
      String.raw`(?:\s(?:is|ist|es|est|è|é))?\s?[:=→]?\s`,
      value,
    ),
    least: 'strong',
    quotes: true,
  },
  {
    trace: network,
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:wi-?fi|wlan)(?:\s(?:here|at home|upstairs|downstairs|guests?|gäste|zuhause|login|access|` +
        String.raw`credentials)){0,2}(?:\s?[:=→]\s?|\s(?:is|ist|es|est|è|é)\s)`,
      String.raw`(?!802\.|\d{1,5}\s?(?:[GM]Hz|[MG]bit|[MG]bps|[MG]b))`,
      mixed,
      bare,
    ),
    least: 'strong',
    quotes: false,
    ends: true,
  },
  // the password changed, the new one is tulips12
  {
    trace: anyNoun,
    pattern: patternOf(
      'i',
      nouns,
      String.raw`[^\n]{0,100}?\b(?:${aged}(?: ones?)?|it|which|die|er|es)\s(?:is|was|ist|war|lautet|es|era|est|était|è|era|` +
        String.raw`é)(?:\s(?:now|jetzt|ahora|maintenant|nu))?\s`,
      mixed,
      bare,
    ),
    least: 'strong',
    quotes: false,
  },
  // you asked for my pass, it’s …
  {
    trace: nounOrWeak,
    pattern: patternOf(
      'i',
      `(?:${nouns}|${wordStart}${weakNouns})`,
      about,
      String.raw`\s?[,;:?!.–—-]{1,2}\s${itIs}\s(?:(?:still|now|just)\s)?`,
      value,
    ),
    least: 'strong',
    quotes: true,
  },
  // my pass is tulips · mi clave es girasol
  {
    trace: nounOrWeak,
    pattern: patternOf('i', wordStart, own, String.raw`\s(?:pass|clave|chave|ww|pw|mdp|passe|parola)`, about, link, value),
    least: 'word',
    quotes: true,
  },
  // the code word is marigold · safe word: purple elephant
  { trace: anyCodeWord, pattern: patternOf('i', wordStart, codeWords, about, link, value), least: 'word', quotes: true },
  {
    trace: anyCodeWord,
    pattern: patternOf(
      'i',
      wordStart,
      codeWords,
      about,
      link,
      String.raw`(?<phrase>[a-zà-ÿ]{2,14}(?:[ -][a-zà-ÿ]{2,14}){1,3})(?=[.!]?\s{0,3}(?:$|\n|[,;(]))`,
    ),
    least: 'word',
    quotes: true,
  },
  // tulips12 is the wifi password
  {
    trace: anyNoun,
    pattern: patternOf(
      'i',
      String.raw`(?<!\S)`,
      mixed,
      bare,
      String.raw`\s(?:is|was|ist|es|est|è|é)\s(?:(?:the|our|my|your|das|unser|mein|la|le|mi|mon|il|a|o|het|` +
        String.raw`mijn)\s)?(?:[A-Za-zÀ-ɏ’'-]{1,16}\s){0,3}?`,
      nouns,
      String.raw`(?=\s{0,2}(?:$|[.,;:!?\n)]|for\b|of\b|to\b|für\b|from\b|now\b))`,
    ),
    least: 'strong',
    quotes: false,
  },
  // a question, and its answer on the next line
  {
    trace: question,
    pattern: patternOf(
      'i',
      `(?:${nouns}|${wordStart}(?:${weakNouns}|${questioned}))`,
      String.raw`(?![A-Za-zÀ-ɏ])(?:[^\n?]{0,60}\?{1,3}["”]?|(?<=(?:what|which|wie|` +
        String.raw`was)[^\n]{0,80}))[ \t]{0,3}\n{1,2}[ \t]{0,4}(?:[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9 ._-]{0,24}:[ \t]{1,3}|[-–—>*•]{1,2}\s)?`,
      String.raw`(?:(?:${itIs}|sure|yes|yep|yeah|ok|ja|klar|oui|sí|sì|sim|here)[,:!]?\s){0,2}(?!(?:19|20)\d\d(?!\d))`,
      value,
      String.raw`(?=[.!]?[ \t]{0,3}(?:$|\n|[,(]))`,
    ),
    least: 'strong',
    quotes: true,
  },
  {
    trace: question,
    pattern: patternOf(
      'i',
      String.raw`(?:what|which|remind|was|wie|welches|quel|cuál|qual|quale|wat|need|(?:^|\n)[^\n]{0,16}:)[^\n?]{0,40}?(?:${nouns}|` +
        String.raw`wi-?fi|wlan)`,
      String.raw`(?![A-Za-zÀ-ɏ])` +
        String.raw`[^\n?]{0,24}\?[ \t]{0,3}\n[ \t]{0,4}(?:[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9 ._-]{0,24}:[ \t]{1,3})?(?:${itIs}\s)?` +
        String.raw`(?<bare>[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ-]{4,40})`,
      String.raw`(?=[.!]?[ \t]{0,3}(?:$|\n))`,
    ),
    least: 'word',
    quotes: false,
  },
]

const nounTraces: ReadonlySet<RegExp | undefined> = new Set([anyNoun, nounOrWeak])
const all: readonly SpokenRule[] = [...spoken, ...logins]
const withoutNoun = all.filter(({ trace }) => trace !== undefined && !nounTraces.has(trace))

/** Finds passwords as people say them, alone or beside a user's name, a network or a question. */
export function findSpokenPasswords(text: string, lower: string): Finding[] {
  return findSpoken(text, lower, mention.test(lower) ? all : withoutNoun)
}

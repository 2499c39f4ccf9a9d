// How a word that stands behind “password” is told from a remark about the password.

/** Words in the place of a password: placeholders, types, and what people say of a password. */
const remarks: ReadonlySet<string> = new Set(
  (
    'a an the my your his her its our their this that it he she we they i you who what which where when how why not no none nil null na ' +
    'yes never always only just still also already now then here there again as at by for from in into of on onto or to up with ' +
    'must should will would can could may might has have had is are was were be been being do does did go goes use using same ' +
    'something anything nothing everything someone somewhere whatever unknown tbd todo see ask same default empty blank missing ' +
    'string number boolean text varchar char bytes any object true false undefined optional mandatory hidden visible plain plaintext ' +
    'secret token password passwd pwd passwort kennwort pass pw pin code username login user admin value key hash ' +
    'important wrong right correct incorrect valid invalid ok okay good bad better best worse fine great strong stronger weak weaker ' +
    'safe secure insecure simple easy hard difficult complex complicated long longer short shorter new old older different current ' +
    'public private personal random unique common obvious ridiculous stupid silly terrible awful lost gone dead off out down ' +
    'forgotten written stolen broken known unset reset ready full case-sensitive case-insensitive self-explanatory well-known ' +
    'everywhere nowhere online offline local remote temporary permanent constant present redundant necessary useless useful sufficient ' +
    'enough mine yours ours crucial essential critical special fun free open close closed due late early soon tomorrow yesterday today ' +
    'length strength complexity age owner review reviews morgen heute gestern mañana demain domani amanhã later please pls ' +
    'bitte thanks alphanumeric dunno idk nope yep yeah hmm forgot guess sorry sure probably maybe perhaps somehow because ' +
    'until unless therefore however always ' +
    'dots stars asterisks characters letters digits numbers symbols words changeme example sample placeholder ' +
    'falsch richtig korrekt ungültig gültig abgelaufen vergessen geheim gleich sicher unsicher kurz lang neu alt schwach stark leer weg ' +
    'einfach schwer kompliziert wichtig nötig notwendig pflicht optional bekannt unbekannt da dort hier noch nicht immer nie jetzt wie ' +
    'das der die ein eine mein dein unser zu auf im beim siehe fehlt mindestens ' +
    'incorrecta incorrecto correcta correcto incorrect correcte corrette errata errato sbagliata sbagliato scaduta scaduto giusta nuova ' +
    'vecchia corta lunga debole forte obligatoria obligatorio obrigatória obrigatório obbligatoria obligatoire facultatif facultativa ' +
    'opcional optionnel larga nueva vieja débil fuerte fácil difícil facile difficile segura seguro sûr sicura única unique mala mal ' +
    'inválida inválido válida válido invalide valide expiré expirée caducada caducado expirada errada correta fraca forte ' +
    'el la los las un una le les uno il lo gli o os um uma muy très trop molto troppo muito demasiado demais siempre toujours sempre ' +
    'même misma mesma stessa igual oublié oubliée pendiente ' +
    'verkeerd juist onjuist verlopen geldig ongeldig vergeten kort lang nieuw oud zwak sterk veilig ' +
    'hetzelfde verplicht optioneel de het een'
  ).split(' '),
)

/** Endings of adjectives and participles, of the languages that are read here. */
const remarkEnding = new RegExp(
  '(?:[^aeiou]ed|ied|ated|ised|ized|ing|[ai]ble|ive|less|ful|ly|ous|ically|based|side|only|generated|protected|' +
    'iert|lich|ig|isch|bar|[ai]d[oa]s?|[ai]t[oa]s?|ée?s?|vel|bile|uta)$',
  'u',
)

/** Names of tools and formats: they stand where a password is kept, or how. */
const toolName = new RegExp(
  String.raw`^(?:1password|lastpass|bitwarden|keepass(?:xc)?|dashlane|nordpass|keychain|vault|sso|saml|oauth2?|bcrypt|scrypt|` +
    String.raw`argon2(?:id|i|d)?|sha-?\d+|md5|base64|utf-?8|aes-?\d+|ascii|web3?|ipv[46]|wpa[23]?(?:-psk|-personal|-enterprise)?|` +
    String.raw`wep|http2?|n/a|office365|microsoft365|windows1[01]|auth0|fido2|u2f|python3|java\d+|log4j|ios\d+|android\d+|` +
    String.raw`(?:chrome|firefox|safari|edge|opera|iphone|ipad|galaxy|pixel|usb|hdmi|bluetooth|windows|macos)\d*)$`,
  'i',
)

/** Values of programs: variables, calls, placeholders. */
const programValue = new RegExp(
  String.raw`^(?:\$|%[\w{(]|\{\{|<|\(|\*+$|[x.•●_-]+$|(?:process|import|os|env|config|settings|self|this|ctx|req|request|body|` +
    String.raw`params|args|secrets|var|local|data|os\.environ|z)\b[.[]|(?:your|my|the)[_-]?[a-z_-]{0,30}$|https?:|www\.|[/~]\w*/)`,
  'i',
)

/** Names of a program's own: `hashed_password`, `readPassword`, `form.password`. They have no digit. */
const identifier = /^(?:[\p{L}]+(?:_[\p{L}]*)+|\p{Ll}+(?:\p{Lu}\p{Ll}*)+|\p{L}+(?:\.[\p{L}_]+)+)$/u

/** Tells whether a value is the name of a variable, without a digit in it. */
export function isIdentifier(value: string): boolean {
  return identifier.test(value)
}

/** Tells whether a word is a remark, a placeholder or a type. */
export function isRemark(word: string): boolean {
  return remarks.has(word.toLowerCase())
}

/** The strength of a value: `strong` is no word of any language, `word` may be one, `none` is no secret. */
export type Strength = 'strong' | 'word' | 'none'

/** Tells how much a value looks like a password. */
export function strengthOf(value: string): Strength {
  if (value.length < 4 || value.length > 512 || programValue.test(value) || toolName.test(value)) return 'none'
  if (!/[\p{L}\p{N}]/u.test(value) || /^[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}$/.test(value)) return 'none'
  if (remarks.has(value.toLowerCase())) return 'none'
  const hasLetter = /\p{L}/u.test(value)
  const hasDigit = /\d/.test(value)
  if (hasLetter && hasDigit) return 'strong'
  if (hasDigit) return 'strong'
  if (identifier.test(value)) return 'none'
  if (/[\p{L}\p{N}][!@#$%^&+=~?|\\]+[\p{L}\p{N}]|[!@#$%^&+=~]{2,}$/u.test(value)) return 'strong'
  if (/^\p{Lu}.{0,40}\p{Ll}\p{Lu}/u.test(value)) return 'strong'
  if (/^\p{L}+(?:[-'’.]\p{L}+)*$/u.test(value)) return remarkEnding.test(value.toLowerCase()) ? 'none' : 'word'
  return 'none'
}

const clauseEnd = new RegExp(
  String.raw`^["'”“»’\x60*_]{0,3}[.!?]?(?:\s{0,3}$|[ \t]{0,3}[\r\n,;!?。，、；！）)\]}|<&(]|\.(?:\s|$)|[ \t]{0,3}[–—-][ \t]|[ \t]` +
    String.raw`(?:and|und|y|et|but|aber|please|pls|thanks|btw|bitte|danke|now|yesterday|today|if|when|by the way|on (?:the|every|` +
    String.raw`all|both|my|our)|for (?:all|every|everything|both)|everywhere|an|ein|rein|aan|ok|because|since|weil|denn|` +
    String.raw`porque|parce|car|perché|omdat|want|lol|haha|:[)(])(?![\p{L}\p{N}])|` +
    String.raw`[でだにと])`,
  'u',
)

/** Words that join others: a passphrase of words has none of them, a remark nearly always has. */
const joints: ReadonlySet<string> = new Set(
  (
    'a an the my your our his her its their this that it he she we they i you who what which where when how why not no as at ' +
    'by for from in into ' +
    'of on onto or to up with must should will would can could may might has have had is are was were be been being do does ' +
    'did go use using ' +
    'something anything nothing too very so just only also still always never yet and but if than then there here all any ' +
    'some each every about ' +
    'after before because until while without within between please characters character digits letters symbols words ' +
    'minimum least long short ' +
    'required needed stored kept changed expired wrong missing incorrect der die das ein eine und oder ist sind mit auf im ' +
    'zu nicht sehr ' +
    'zeichen morgen heute gestern tomorrow today yesterday later soon wird sera será mañana demain domani amanhã el la los ' +
    'las un una y o es en con de del muy le les et ou est dans pour trop il lo gli è di che non o os as um uma não é do da ' +
    'het een van niet te'
  ).split(' '),
)

/** Tells whether some words are a passphrase, and no remark on it. */
export function isPhrase(phrase: string): boolean {
  const words = phrase.toLowerCase().split(/[\s-]+/)
  return words.every((word) => !joints.has(word)) && !remarkEnding.test(words[0] ?? '')
}

/** How a word is spelt: `all lower case`, `todo junto`. Only a password needs such a remark. */
const spelt = new RegExp(
  String.raw`^["'”»’]?[,;.]?\s{0,2}[(–—-]?\s?(?:(?:it['’]?s|that['’]?s|written|spelled|spelt|geschrieben|und|and|alles|all|todo|` +
    String.raw`tudo|tutto|tout|` +
    String.raw`as|en|em|in|with|mit|con|com|avec|met|no|sin|sem|senza|sans|zonder|ohne|without|a|the|capital|one|un|une|ein|einem|` +
    String.raw`één|sola|una|uma|` +
    String.raw`only|just|nur|nothing but|lower|upper|no)\s){0,4}(?:lower ?case|upper ?case|lower|small letters?|low caps?|all caps|` +
    String.raw`caps|capitals?(?: [a-z0-9])?|` +
    String.raw`capital letters?|one word|single word|spaces?|klein(?:geschrieben|buchstaben)?|gro(?:ß|ss)(?:geschrieben|buchstaben)?|` +
    String.raw`zusammen(?:geschrieben)?|Wort|Leerzeichen|junto|min[uú]sculas?|min[uú]sculos?|may[uú]sculas?|mai[uú]sculas?|` +
    String.raw`espacios?|espaços?|palabra|` +
    String.raw`palavra|minuscole?|minuscol[oi]|maiuscol[aeo]|attaccat[oa]|spazi|parola|minuscules?|majuscules?|attachés?|espaces?|mot|` +
    String.raw`kleine letters|hoofdletters?|aan elkaar|spaties?)(?![\p{L}\p{N}])`,
  'iu',
)

/** Tells whether a remark on spelling stands here: then the word before was a password. */
export function isSpelt(rest: string): boolean {
  return spelt.test(rest)
}

const standIn = new RegExp(
  String.raw`^(?:[\w./+-]{0,32}?[-_:=.]|[a-z]{0,5})(?:x{4,}|X{4,}|\.{2,}|…+|\*{3,}|•{2,}|_{4,}|#{3,})[\w.=…*-]{0,12}$|` +
    String.raw`^[\w-]{0,24}(?:<[^<>\n]{1,40}>|\{\{[^{}\n]{1,60}\}\}|\$\{[^{}\n]{1,80}\}|%[A-Za-z_]\w{1,40}%)[\w-]{0,8}$|` +
    String.raw`^(?:[\w-]{0,16}[-_])?(?:your|insert|replace)[-_](?:[a-z]{1,16}[-_]?){1,5}(?:here)?$|^\$\{|` +
    String.raw`^[A-Za-z_]\w*(?:(?:\.|::|->)\w+)+\($`,
)

/** Tells whether a text stands in the place of a secret: `sk-...`, `<token>`, `${KEY}`, `your-key-here`. */
export function isStandIn(text: string): boolean {
  return text.length <= 160 && standIn.test(text)
}

/** Tells whether a clause ends here: then the word before was its last. */
export function endsClause(rest: string): boolean {
  return clauseEnd.test(rest)
}

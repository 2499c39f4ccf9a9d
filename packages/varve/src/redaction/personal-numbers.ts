import type { Finding } from './finding.ts'
import { findAll, findInGroups, type Pattern, type PatternGroup, patternOf } from './pattern.ts'

// Numbers of cards, accounts and persons. Where a number has check digits, they must be right.

/** Tells whether the last digit fits those before it (Luhn, ISO/IEC 7812-1). */
export function fitsLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - place))
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return digits !== '' && sum % 10 === 0
}

/** Tells whether an account number's two check digits fit (ISO 13616: mod 97). */
export function fitsMod97(iban: string): boolean {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** The lengths of card numbers by their first digits. */
const brands: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|65|64[4-9]|622)/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:30[0-5]|36|38|39)/, [14, 16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[0-9])/, [16, 18, 19]],
]

const otherNumber = new RegExp(
  String.raw`(?:order|orders|bestellung|tracking|parcel|paket|sendung|invoice|rechnung|ticket|ref(?:erence)?|serial|imei|ean|isbn|` +
    String.raw`gtin|id|tweet|timestamp|build|case|phone|tel|fax|commit|job|run|user|row)\W{0,3}` +
    String.raw`(?:(?:no|nr|number|id|is|nummer)\W{0,3}){0,2}$`,
  'i',
)

function isCard(secret: string, match: RegExpExecArray): boolean {
  const digits = secret.replace(/\D/g, '')
  if (new Set(digits).size < 4 || !fitsLuhn(digits)) return false
  if (!brands.some(([start, lengths]) => start.test(digits) && lengths.includes(digits.length))) return false
  return !otherNumber.test(match.input.slice(Math.max(0, match.index - 32), match.index))
}

/** The lengths of account numbers by country, from the registry of ISO 13616. */
const ibanLengths = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 ' +
    'GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 ' +
    'MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
)

/** Finds account numbers by their country's length, so that words behind one are no part of it. */
function ibanAt(text: string): string {
  const length = ibanLengths.get(text.slice(0, 2).toUpperCase()) ?? 0
  let taken = ''
  for (let at = 0; at < text.length && taken.length < length; at += 1) {
    const character = text.charAt(at)
    if (/[A-Za-z0-9]/.test(character)) taken += character.toUpperCase()
    if (taken.length === length && length > 0) return fitsMod97(taken) ? text.slice(0, at + 1) : ''
  }
  return ''
}

const head = String.raw`(?<![A-Za-zÀ-ɏ0-9])`
const filler = String.raw`(?:[ \t]{1,2}[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’.-]{0,16}){0,4}?`
const link = String.raw`(?:\s?(?:[:：=#→]|是|为|は|が)\s{0,3}|,?[ \t]{1,2}(?:[:：=]\s?)?)["'“]?`

const isDate = (secret: string): boolean => /^(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?/.test(secret)

const numbered = (nouns: string, number: string, isSecret?: Pattern['isSecret']): Pattern => ({
  label: 'personal number',
  pattern: patternOf(
    'i',
    `${head}(?:${nouns})`,
    String.raw`(?![A-Za-z])`,
    filler,
    link,
    `(?<secret>${number})`,
    String.raw`(?![A-Za-z\d]|[-./]\d)`,
  ),
  isPersonal: true,
  isSecret: isSecret ?? ((secret) => (secret.match(/\d/g)?.length ?? 0) >= 5 && !isDate(secret)),
})

const someDigits = String.raw`\d(?:[ ./-]?\d){6,13}`
/** A code of letters and digits without blanks: words cannot be part of it. */
const compact = String.raw`(?=[A-Za-z]{0,4}\d)[A-Za-z0-9]{6,18}`

const persons: readonly Pattern[] = [
  numbered(
    String.raw`passport|passport (?:no\.?|number|nr\.?)|(?:reise)?pass-?(?:nummer|nr\.?)|reisepass(?: nr\.?)?|` +
      String.raw`(?:personal)?ausweis-?(?:nummer|nr\.?)?|(?:número de )?pasaporte|(?:numéro de )?passeport|passaporto|护照(?:号码?|號碼)?|` +
      String.raw`パスポート番号`,
    compact,
  ),
  numbered(
    String.raw`(?:driver['’]?s?|driving) licen[cs]e(?: (?:no\.?|number))?|dl (?:no\.?|number)|führerschein-?(?:nummer|nr\.?)?|` +
      String.raw`(?:national )?id card(?: (?:no\.?|number))?|national id(?:entity)?(?: (?:no\.?|number))?|(?:insurance|medicare|` +
      String.raw`medicaid|health card|member)(?: (?:card|policy|member))? (?:id|no\.?|number)|versicherten-?nummer|` +
      String.raw`krankenversicherten-?nummer`,
    compact,
  ),
  numbered(
    String.raw`steuer-?(?:id|identifikationsnummer|nummer|nr\.?)|idnr\.?|tax (?:id|number|no\.?)|taxpayer id(?:entification number)?|` +
      String.raw`tin|ein|itin|vat id|n\.?i\.?f\.?|número fiscal|numéro fiscal`,
    String.raw`\d(?:[ ./-]?\d){7,13}`,
  ),
  numbered(String.raw`(?:sozial|renten)versicherungs-?(?:nummer|nr\.?)|sv-?(?:nummer|nr\.?)`, String.raw`\d{2} ?\d{6} ?[A-Z] ?\d{3}`),
  numbered(
    String.raw`n\.?i\.? (?:number|no\.?)|national insurance(?: (?:number|no\.?))?|nino`,
    String.raw`[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]`,
  ),
  numbered(String.raw`nhs (?:number|no\.?)`, String.raw`\d{3}[ -]?\d{3}[ -]?\d{4}`),
  numbered(
    String.raw`(?:dni|nie|nif|cif|curp|rfc|cédula|cedula|rut)`,
    String.raw`(?:[XYZ]-?)?\d{1,3}(?:\.?\d{3}){2}-?[A-Z0-9]|[A-Z]{4}\d{6}[A-Z0-9]{3,8}`,
  ),
  numbered(String.raw`cpf|cnpj|pis`, String.raw`\d{2,3}\.?\d{3}\.?\d{3}[/-]?\d{2,4}(?:-\d{2})?`),
  numbered(
    String.raw`bsn|burgerservicenummer|pesel|personnummer|cpr(?:-nummer)?|fødselsnummer|hetu|amka|egn|cnp|oib|jmbg|tc kimlik(?: no)?|` +
      String.raw`kimlik`,
    someDigits,
  ),
  numbered(String.raw`aadhaar|aadhar|pan(?: card)?|voter id`, String.raw`\d{4} ?\d{4} ?\d{4}|[A-Z]{5}\d{4}[A-Z]`),
  numbered(String.raw`(?:numéro )?(?:de )?sécurité sociale|nir|insee`, String.raw`[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3}(?: ?\d{2})?`),
  numbered(String.raw`codice fiscale|cf`, String.raw`[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]`),
  numbered(String.raw`身份证(?:号码?)?|身份證(?:號碼?)?|公民身份号码`, String.raw`\d{17}[\dX]|\d{15}`),
  numbered(String.raw`マイナンバー|個人番号|免許証番号|주민등록번호`, String.raw`\d{4}[ -]?\d{4}[ -]?\d{4}|\d{6}-\d{7}`),
  numbered(
    String.raw`ssn|social security(?: (?:number|no\.?|#))?|social|ss ?#|sin|social insurance(?: number)?`,
    String.raw`\d{3}[ -]?\d{2}[ -]?\d{4}|\d{3}[ -]?\d{3}[ -]?\d{3}`,
  ),
]

/** Their form alone gives them away. */
const forms: readonly Pattern[] = [
  { label: 'personal number', pattern: /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g, isPersonal: true },
  { label: 'personal number', pattern: /(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)/g, isPersonal: true },
  { label: 'personal number', pattern: /(?<![\d.])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/g, isPersonal: true },
  {
    label: 'personal number',
    pattern: /(?<![\dA-Za-z])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2][1-9]|[123]0|31)\d{3}[\dX](?![\dA-Za-z])/g,
    isPersonal: true,
  },
]

const accounts: readonly Pattern[] = [
  numbered(
    String.raw`(?:bank )?(?:account|acct|a/c)\.?(?: (?:number|no\.?|nr\.?|#))?|(?:checking|savings|current) account(?: (?:number|` +
      String.raw`no\.?))?|konto-?(?:nummer|nr\.?)|depot-?(?:nummer|nr\.?)|` +
      String.raw`número de (?:cuenta|conta)|numéro de compte|numero di conto|rekeningnummer|cuenta|compte|conta|银行账号|银行卡号|账号|帳號|卡号|` +
      String.raw`口座番号|iban`,
    String.raw`\d(?:[ -]?\d){6,19}|(?=\d{0,12}[A-Z]?\d)\d{5,12}[A-Z]\d{2,4}`,
    (secret) => secret.replace(/\D/g, '').length >= 7 && !isDate(secret),
  ),
  numbered(String.raw`routing(?: (?:number|no\.?|#))?|aba|rtn|blz|bankleitzahl|transit number`, String.raw`\d{8,9}`),
  numbered(String.raw`sort ?code`, String.raw`\d{2}[ -]?\d{2}[ -]?\d{2}`, () => true),
].map((each) => ({ ...each, label: 'account number' }))

/** Cards open an account, so they are in both sets; the others name a person or an account. */
const numbers: readonly Pattern[] = [
  { label: 'card number', pattern: /(?<![A-Za-z\d.,-]|\d[ ._/-])\d(?:[ .-]?\d){12,18}(?![A-Za-z\d]|[.-]\d)/g, isSecret: isCard },
  { label: 'IBAN', pattern: /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,36}/g, isPersonal: true, beginning: ibanAt },
  ...forms,
]

const personWords = [
  ...[
    'pass',
    'pasap',
    'ausweis',
    'license',
    'licence',
    'driving',
    'führerschein',
    'national',
    'id card',
    'insurance',
    'member',
    'medica',
    'health card',
  ],
  ...[
    'steuer',
    'idnr',
    'tax',
    'tin',
    'ein',
    'nif',
    'n.i',
    'fiscal',
    'versicher',
    'sv-',
    'ni n',
    'nino',
    'nhs',
    'dni',
    'nie',
    'cif',
    'curp',
    'rfc',
  ],
  ...[
    'cédula',
    'cedula',
    'rut',
    'cpf',
    'cnpj',
    'pis',
    'bsn',
    'burger',
    'pesel',
    'personnummer',
    'cpr',
    'fødsels',
    'hetu',
    'amka',
    'egn',
    'cnp',
  ],
  ...['oib', 'jmbg', 'kimlik', 'aadha', 'pan', 'voter', 'sécurité', 'nir', 'insee', 'codice', 'cf', 'ssn', 'social', 'sin', 'ss #', 'ss#'],
  ...['护照', '身份', '身份證', '公民', 'パスポート', 'マイナンバー', '個人番号', '免許', '주민'],
]
const accountWords = [
  'account',
  'acct',
  'a/c',
  'konto',
  'depot',
  'cuenta',
  'conta',
  'compte',
  'conto',
  'rekening',
  'iban',
  'routing',
  'aba',
  'rtn',
  'blz',
  'bankleit',
  'transit',
  'sort',
  '账号',
  '帳號',
  '卡号',
  '口座',
]

/** So many digits in one text at least: a shorter number names nobody. */
const manyDigits = /\d(?:(?:[ ./_-]{0,3}|[A-Za-z]{1,4})\d){4}/

/** Finds the numbers of cards, accounts and persons. */
export function findPersonalNumbers(text: string, lower: string): Finding[] {
  if (!manyDigits.test(text)) return []
  return [...findAll(text, numbers), ...findInGroups(text, lower, named)]
}

const named: readonly PatternGroup[] = [
  { words: personWords, patterns: persons },
  { words: accountWords, patterns: accounts },
]

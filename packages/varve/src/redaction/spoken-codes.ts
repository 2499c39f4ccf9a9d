import { digits, end, filler, wordStart, isCodeNumber, isNoDate, isNoYear, otherCodes, sign } from './code-parts.ts'
import { doorCodes } from './door-codes.ts'
import { type Pattern, type PatternGroup, patternOf } from './pattern.ts'
import { spokenKeys } from './spoken-keys.ts'

// Codes of digits as people say them: PIN, card check digits, alarms, doors, one-time codes, recovery codes. A code
// needs its own noun before it (or behind it): digits alone are never one.

const pin: readonly Pattern[] = [
  {
    label: 'PIN',
    pattern: patternOf(
      'i',
      String.raw`(?:(?<![A-Za-zÀ-ɏ0-9])pin|(?<=karten|handy|sim|ec|konto|bank)-?pin|(?<![A-Za-zÀ-ɏ])pin[ _-]?(?:code|number|nummer|` +
        String.raw`nr\.?)|pincode|geheimzahl|geheimnummer|code pin|puk[12]?)(?![A-Za-zÀ-ɏ])`,
      filler(6),
      sign,
      digits(4, 8),
    ),
    isSecret: isCodeNumber,
  },
  {
    label: 'PIN',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-zÀ-ɏ0-9.,:-])`,
      String.raw`(?<secret>\d{4,8})`,
      String.raw`\s(?:as|is|ist|als|como|comme|come)\s(?:(?:the|my|our|your|die|meine|mi|mon|il mio|` +
        String.raw`o meu)\s)?(?:[A-Za-zÀ-ɏ]{1,12}\s)?(?:pin|passcode|geheimzahl|pincode)(?![A-Za-zÀ-ɏ])`,
    ),
    isSecret: isNoYear,
  },
  {
    label: 'PIN',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:(?:phone|tablet|ipad|iphone|screen|device|laptop|watch|atm|voicemail|mailbox|sim|tv|parental(?: control)?|kids?)` +
        String.raw`['’s]{0,2} (?:unlock |lock |pass|access )?(?:code|pattern|key|number)|` +
        String.raw`(?:host|moderator|participant|chairperson|organi[sz]er|conference|meeting|webinar|zoom|` +
        String.raw`bridge)(?: call)? (?:access )?(?:key|pin|code|passcode)|` +
        String.raw`unlock code|passcode|handycode|entsperrcode|sperrcode|screen lock)`,
      filler(5),
      sign,
      digits(4, 10),
    ),
  },
  {
    label: 'PIN',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:unlocks?|entsperr\w{0,4}|déverrouill\w{1,3}|desbloque\w{1,3}|sblocc\w{1,3}|` +
        String.raw`ontgrendel\w{0,3})[^.\d\n]{0,40}?\s(?:with|using|mit|avec|con|com|met)`,
      sign,
      digits(4, 10),
    ),
  },
  {
    label: 'PIN',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`code\s(?:for|to|of|fürs?|vom|du|del|do|di|van)\s(?:[A-Za-zÀ-ɏ]{1,12}\s){0,2}?(?:handy|i?phone|ipad|tablet|laptop|` +
        String.raw`sim|card|karte|`,
      String.raw`telefon|móvil|telefono|téléphone|celular|telefoon)(?![A-Za-zÀ-ɏ])`,
      filler(3),
      sign,
      digits(4, 10),
    ),
    isSecret: isCodeNumber,
  },
  {
    label: 'PIN',
    pattern: patternOf(
      'i',
      String.raw`(?:暗証番号|暗証|ピン|取款密码|支付密码|银行卡密码|卡密码|开机密码|锁屏密码|手机密码|PIN码|비밀번호)\s?(?:是|为|就是|は|が|[:：=])?\s?`,
      String.raw`(?<secret>\d{4,8})(?!\d)`,
    ),
  },
]

const card: readonly Pattern[] = [
  {
    label: 'CVV',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:cv[vcn]2?|cvv2|csc|card (?:verification|security|validation) (?:code|value|number)|prüfziffer|prüfnummer|` +
        String.raw`kartenprüfnummer|code de sécurité|cryptogramme|código de seguridad|código de segurança|codice di sicurezza|` +
        String.raw`codice cvv|numero di sicurezza|veiligheidscode|card ?code|` +
        String.raw`安全码|セキュリティコード)(?![A-Za-zÀ-ɏ])`,
      filler(5),
      String.raw`(?:は|是|为)?`,
      sign,
      String.raw`(?<secret>\d{3,4})${end}`,
    ),
  },
  {
    label: 'CVV',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:security (?:code|number)|(?:(?:three|3|four|4)[ -])?(?:digits?|numbers?)|sicherheitscode|code|ziffern|chiffres|` +
        String.raw`cifras|cifre|cijfers|it says)\s(?:on|auf|at|an|au|en|sul|no|op) (?:the |my |het |` +
        String.raw`der )?(?:la |el |the )?(?:back|rückseite|signature strip|dos|reverso|retro|verso|achterkant)`,
      filler(5),
      sign,
      String.raw`(?<secret>\d{3,4})${end}`,
    ),
  },
  // a card, its end, three digits
  {
    label: 'CVV',
    pattern: patternOf(
      'i',
      String.raw`\d{4}[ -]?\d{4,6}[ -]?\d{4,5}(?:[ -]?\d{1,4})?[^\d\n]{1,24}(?:0[1-9]|1[0-2])\s?[/-]\s?(?:20)?\d\d[^\d\n]{1,16}`,
      String.raw`(?<secret>\d{3,4})${end}`,
    ),
  },
  {
    label: 'CVV',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:security|sicherheits)-? ?code\s?(?:is|ist|:)?\s`,
      String.raw`(?<secret>\d{3,4})${end}`,
    ),
  },
]

const otpNouns =
  String.raw`(?:(?:verification|confirmation|log-?in|sign-?in|security|authentication|authenticator|authorization|auth|activation|` +
  String.raw`access|one[ -]?time|2fa|mfa|two[ -]factor|otp|sms|totp|reset)` +
  String.raw`[ -](?:pass ?)?(?:codes?|pin|password|token)|otp|one[ -]time pass(?:code|word)|tan|m-?tan|sms-?tan|push-?tan|` +
  String.raw`(?:bestätigungs|sicherheits|verifizierungs|einmal|anmelde|freischalt|login)-?(?:code|passwort|kennwort)|` +
  String.raw`code (?:de |d['’])?(?:vérification|confirmation|validation|sécurité|connexion)|código (?:de |do )?(?:verificación|` +
  String.raw`confirmación|seguridad|acceso|verificação|segurança|confirmação)|` +
  String.raw`codice (?:di )?(?:verifica|conferma|sicurezza|accesso)|verificatiecode|beveiligingscode|inlogcode|clave dinámica|` +
  String.raw`your [A-Za-zÀ-ɏ0-9.]{1,20} code|dein [A-Za-zÀ-ɏ]{1,20}-code)`

const mixedCode = String.raw`[A-Z0-9]{3,5}-[A-Z0-9]{3,5}|[A-Z0-9]{6,8}`

const otp: readonly Pattern[] = [
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-zÀ-ɏ])code\s(?<secret>\d{4,8})\s(?:to|for|zum|pour|para|per)\s`,
      String.raw`(?:log|sign|verif|confirm|anmeld|einlogg|connect|reset|complete|finish)`,
    ),
  },
  // the login code just arrived, it's 703 418
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:${otpNouns}|(?:text(?:ed)?|sms|messaged?|sent|e-?mailed)\b[^.\d\n]{0,30}?code)`,
      String.raw`(?![A-Za-zÀ-ɏ-])[^\d\n]{0,40}?(?:[,;:.!?–—-]\s{0,2}(?:and |und |et |y )?(?:(?:it['’]?s|it is|it was|it says|` +
        String.raw`that['’]?s|` +
        String.raw`es ist|er ist|lautet|c['’]est|es|è|é|het is)\s)?|\b(?:says|saying|reads)\s)`,
      String.raw`(?<secret>\d{4,8}|\d{3}[ -]\d{3})${end}`,
    ),
    isSecret: (secret) => isNoDate(secret) && isNoYear(secret),
  },
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:2fa|mfa|sms|totp)\s?(?:code)?\s?[:=→]\s?`,
      String.raw`(?<secret>\d{6,8}|\d{3}[ -]\d{3})${end}`,
    ),
  },
  // the code they sent is 482913
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`code\s(?:that\s)?(?:[A-Za-zÀ-ɏ]{1,16}\s){1,2}?(?:just\s)?(?:sent|texted|e-?mailed|gave|got|received)(?:\s(?:me|` +
        String.raw`you|us))?`,
      String.raw`(?:\s(?:is|was)\s|\s?[:=]\s?)(?<secret>\d{4,8}|\d{3}[ -]\d{3})${end}`,
    ),
  },
  { label: 'one time code', pattern: patternOf('', String.raw`(?<![\w-])G-(?<secret>\d{6})(?!\d)`) },
  // code: 482913, valid for ten minutes
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      wordStart,
      otherCodes,
      String.raw`(?:code|código|codice|pin|passcode)(?:\s(?:is|ist|est|es|è|é|lautet))?\s?[:=]?\s{0,2}`,
      String.raw`(?<secret>\d{4,8}|\d{3}[ -]\d{3})(?![\w-])(?=[^\n]{0,80}?(?:expire|valid (?:for|until)|never share|(?:don['’]?t|` +
        String.raw`do not) share|` +
        String.raw`gültig|läuft ab|weitergeben|partage|expira|caduca|comparta|scade|condivid|verloopt|geldig|deel))`,
    ),
  },
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      wordStart,
      otpNouns,
      String.raw`(?![A-Za-zÀ-ɏ-])`,
      String.raw`(?:[ \t]{1,2}(?:for|to|from|on|is|was|ist|lautet|war|est|es|è|é|für|von|pour|para|per|now|your|the|my|` +
        String.raw`[A-ZÀ-Þ][A-Za-zÀ-ɏ]{0,16})){0,5}`,
      sign,
      String.raw`(?:[A-Z]{1,2}-)?`,
      String.raw`(?<secret>\d{4,8}|\d{2,4}(?:[ -]\d{2,4}){1,2})${end}`,
    ),
    isSecret: (secret) => isNoDate(secret) && isNoYear(secret),
  },
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-zÀ-ɏ0-9.,:])(?:[A-Z]{1,2}-)?(?<secret>\d{4,8}|\d{3}[ -]\d{3})\s(?:is|ist|est|es|è|é)\s(?:your|the|my|dein|` +
        String.raw`ihr|votre|su|tu|seu|il tuo|uw)\s(?:[A-Za-zÀ-ɏ0-9]{1,20}\s){0,3}?(?:[A-Za-zÀ-ɏ-]{0,20}code|código|codice|otp|pin|tan|` +
        String.raw`passcode)(?![A-Za-zÀ-ɏ])`,
    ),
  },
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-zÀ-ɏ0-9.,:])(?<secret>\d{4,8}|\d{2,3}(?:[ -]\d{2,3}){1,2})\s(?:as|als)\s(?:the |a |my )?(?:(?:one[ -]time|` +
        String.raw`verification|login|security|2fa)\s)?(?:pass)?code(?![A-Za-zÀ-ɏ])`,
    ),
  },
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      String.raw`(?:验证码|驗證碼|校验码|动态密码|動態密碼|認証コード|確認コード|認証番号|ワンタイムパスワード|인증번호)\s?(?:[:：=]|是|为|為|は|が|\s)?\s?["'「【]?`,
      String.raw`(?<secret>\d{4,8})(?![\d位桁])`,
    ),
  },
]

/** One-time codes with letters have few digits. */
const mixedOtp: readonly Pattern[] = [
  // letters and digits: KX7-Q2M as the one time code
  {
    label: 'one time code',
    trace: /(?<![\w-])(?=[A-Z-]{0,8}\d)(?=[\d-]{0,8}[A-Z])[A-Z0-9]{3,5}-?[A-Z0-9]{3,5}(?![\w-])/,
    pattern: patternOf(
      'i',
      String.raw`(?<![\w-])(?:(?:${otpNouns}|(?:pairing|device|invite|link|tv) code)(?![A-Za-zÀ-ɏ-])(?:\s(?:is|ist|est|es|è|é|for|` +
        String.raw`on|the|tv|on screen)){0,4}`,
      String.raw`\s?[:=→]?\s(?<secret>${mixedCode})|(?<bare>${mixedCode})\s(?:as|is|als|ist|como|comme)\s(?:the |your |my |a |` +
        String.raw`dein |der )?(?:tv )?` +
        String.raw`(?:${otpNouns}|(?:pairing|device|activation|pass) ?code))(?![\w-])`,
    ),
    isSecret: (secret) => /\d/.test(secret) && /[A-Z]/.test(secret) && secret === secret.toUpperCase(),
  },
]

const base32 = String.raw`(?:[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15}|[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,15}|[A-Z2-7]{16,64})`

/** Secrets from which an authenticator makes its codes. */
const authenticatorSecrets: readonly Pattern[] = [
  {
    label: 'secret',
    pattern: patternOf(
      '',
      String.raw`(?:2[Ff][Aa]|[Tt][Oo][Tt][Pp]|[Mm][Ff][Aa]|OTP|otp|[Aa]uthenticator|AUTHENTICATOR|[Tt]wo[- ][Ff]actor|` +
        String.raw`[Ss]etup key|base32)` +
        String.raw`[^\n]{0,60}?(?:[:=→]|\b(?:is|ist|est|es|è|é|key|secret|seed|with|code|type|enter|` +
        String.raw`use))\s{0,2}["'“]?(?<secret>${base32})(?![\w-])`,
    ),
    isSecret: (secret) => /[2-7]/.test(secret),
  },
]

const recoveryNouns =
  String.raw`(?:(?:recovery|back-?up|emergency|rescue|scratch|bypass)[ -](?:codes?|keys?)|secret key|wiederherstellungs-?(?:codes?|` +
  String.raw`schlüssel)|backup-?codes?|notfall-?codes?|code(?:s)? de (?:récupération|secours)|` +
  String.raw`código(?:s)? de (?:recuperación|recuperação|respaldo)|codic[ei] di (?:recupero|backup)|herstelcodes?|恢复码|恢复代码|恢复密钥|备用码|` +
  String.raw`リカバリーコード|復旧コード|バックアップコード)`
const recoveryCode = String.raw`(?:[A-Za-z0-9]{3,8}(?:[- ]\d{3,8}|-[A-Za-z0-9]{2,8}){1,9}|(?=[a-z]{0,20}\d)[A-Za-z0-9]{8,40})`

const recovery: readonly Pattern[] = [
  {
    label: 'recovery code',
    pattern: patternOf(
      'i',
      recoveryNouns,
      String.raw`(?![A-Za-zÀ-ɏ])(?:[ \t]{1,2}[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’]{0,16}){0,4}?`,
      String.raw`(?:\s{0,2}[:：=]\s{0,3}|は|是|[ \t]{1,2}|\n{1,2})`,
      String.raw`(?<secret>`,
      recoveryCode,
      String.raw`(?:[,;]?\s{1,3}(?:\d{1,2}[.)]\s)?`,
      recoveryCode,
      String.raw`){0,15})(?![A-Za-zÀ-ɏ0-9])`,
    ),
    isSecret: (secret) => (secret.match(/\d/g)?.length ?? 0) >= 3 && !/^(?:19|20)\d\d-\d\d/.test(secret),
  },
]

const codeWords = ['code', 'código', 'codice', 'combo', 'combination', 'kombination', ' pin', '-pin', 'keypad', 'key pad', 'zahl', 'コード']

/** Texts without a digit hold no code. */
export const spokenCodes: readonly PatternGroup[] = [
  {
    words: (
      ' pin|-pin|_pin|"pin|\'pin|(pin|kpin|npin|geheim|puk|code|lock|sperr|bloque|sblocc|ontgrendel|host|moderator|conference|' +
      'meeting|zoom|' +
      'atm|暗証|ピン|密码|비밀번호'
    ).split('|'),
    patterns: pin,
  },
  {
    words: [
      'cv',
      'csc',
      'code',
      'card ',
      'prüf',
      'visa',
      'master',
      'amex',
      'exp',
      '/2',
      '/3',
      'numbers',
      'digits',
      'back',
      'rück',
      'cryptogramme',
      'código',
      'codice',
      '安全码',
      'コード',
    ],
    patterns: card,
  },
  {
    words: [
      ...codeWords,
      'otp',
      'mfa',
      '2fa',
      'sms',
      ' tan ',
      'tan:',
      'tan-',
      '-tan',
      'mtan',
      'smstan',
      'token',
      'password',
      'passwort',
      'clave',
      '码',
      '碼',
      '認証',
      'ワンタイム',
      '인증',
    ],
    patterns: otp,
  },
  {
    words: [
      'recover',
      'backup',
      'back-up',
      'back up',
      'emergency',
      'rescue',
      'scratch',
      'bypass',
      'secret key',
      'wiederherst',
      'notfall',
      'récup',
      'secours',
      'recuper',
      'respaldo',
      'herstel',
      '恢复',
      '备用',
      'リカバリー',
      '復旧',
      'バックアップ',
    ],
    patterns: recovery,
  },
  ...doorCodes,
  ...spokenKeys,
]

/** Codes with few digits, or none. */
export const letteredCodes: readonly PatternGroup[] = [
  { words: ['code', 'otp', 'tan', 'código', 'codice', 'passcode'], patterns: mixedOtp },
  { words: ['2fa', 'otp', 'mfa', 'authenticator', 'factor', 'setup key', 'base32'], patterns: authenticatorSecrets },
]

const answer =
  String.raw`(?<secret>["'“]?[A-ZÀ-Þ][A-Za-zÀ-ɏ0-9'’-]{2,30}` +
  String.raw`(?:\s[A-ZÀ-Þ][A-Za-zÀ-ɏ0-9'’-]{1,30}){0,2}["'”]?)(?=\s{0,2}(?:$|[,;.!?\n)]|(?:if|in case|when|for|and|but|as|on|at|` +
  String.raw`btw|wenn|falls|und|für|si|et|pour|y|para|se|e|als|en)\s))`

/** Answers to the questions that stand in for a password. */
export const securityAnswers: readonly PatternGroup[] = [
  {
    words: ['security', 'secret', 'sicherheits', 'seguridad', 'question', 'maiden'],
    patterns: [
      {
        label: 'security answer',
        pattern: patternOf(
          '',
          wordStart,
          String.raw`(?:[Ss]ecurity (?:question|answer)|[Ss]ecret (?:question|answer)|[Ss]icherheits(?:frage|antwort)|` +
            String.raw`[Pp]regunta de seguridad|[Qq]uestion (?:de sécurité|secrète))[^.\n]{0,80}?(?:[Aa]nswer|[Aa]ntwort|is|` +
            String.raw`[Rr]espuesta|[Rr]éponse|=|:)\s{0,2}[:=]?\s{0,2}`,
          answer,
        ),
        isSecret: (secret) => /^["'“]?\p{Lu}/u.test(secret) && !/^(?:What|Which|Who|Where|When|How|Your|My|The|Yes|No|None)\b/.test(secret),
      },
      {
        label: 'security answer',
        pattern: patternOf(
          '',
          wordStart,
          String.raw`(?:[Mm]other['’]?s|[Mm]om['’]?s|[Mm]um['’]?s) maiden name (?:is|was|:)\s{0,2}`,
          answer,
        ),
        isSecret: (secret) => /^["'“]?\p{Lu}/u.test(secret),
      },
    ],
  },
]

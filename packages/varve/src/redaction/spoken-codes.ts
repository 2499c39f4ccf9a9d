import { type Pattern, type PatternGroup, patternOf } from './pattern.ts'

// Codes of digits as people say them: PIN, card check digits, alarms, doors, one-time codes, recovery codes. A code
// needs its own noun before it (or behind it): digits alone are never one.

const head = String.raw`(?<![A-Za-zÀ-ɏ0-9])`
/** Up to so many words between a noun and its digits. No sentence ends between them. */
const filler = (most: number): string =>
  String.raw`(?:[ \t]{1,2}(?:["'“]?[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]{0,20}["'”]?|\([A-Za-zÀ-ɏ]{1,16}\))){0,${most}}?`
const sign = String.raw`(?:\s{0,2}[:：=＝→#]{1,2}\s{0,3}|\s{0,2}(?:->|=>|—|–|-)\s{0,2}|,?[ \t]{1,2}|\s?(?:是|为|為|は|が)\s?)["'“「*]{0,2}`
/** Behind the digits: no unit, time, date, price or longer number. */
const end =
  String.raw`(?![A-Za-zÀ-ɏ0-9]|[:.,/-]\d|\s?(?:%|€|\$|°|times|years?|days?|hours?|minutes?|mins?|seconds?|people|digits?|` +
  String.raw`characters?|weeks?|months?|Jahre|Tage|Stunden|Minuten|Stellen|位|桁|分|元|円|ms|mg|km|kg|px|Uhr|am|pm|o['’]clock)(?![A-Za-zÀ-ɏ]))`
const digits = (least: number, most: number): string => String.raw`(?<secret>(?:[#*]?\d(?:[ -]?\d){${least - 1},${most - 1}}[#*]?))${end}`

const isNoYear = (secret: string): boolean => !/^(?:19|20)\d\d$/.test(secret)
const isNoDate = (secret: string): boolean => !/^(?:19|20)\d\d-\d\d-\d\d$/.test(secret)

const things =
  String.raw`(?:(?:burglar |house |home |office |fire )?alarm(?: system| panel)?|(?:front |back |side |main |garage |cellar )?door|` +
  String.raw`gate|garage|lock ?box|key ?(?:safe|box)|` +
  String.raw`safe|vault|locker|pad ?lock|(?:bike |gym |luggage |suitcase |combination )?lock|entry|entrance|building|lobby|house|` +
  String.raw`apartment|flat|office|keypad|key pad|elevator|` +
  String.raw`intercom|barrier|suitcase|shed|cabinet|boot room|alarma|alarme|allarme|portal|portail|porte|puerta|porta|portone|cancello|` +
  String.raw`garaje|caja fuerte|coffre|cassaforte|cofre|` +
  String.raw`Alarmanlage|Alarm|Tür|Haustür|Tor|Tresor|Safe|Garage|Zahlenschloss|Fahrradschloss|Schließfach|Spind|Schlüsseltresor|` +
  String.raw`Schlüsselbox|deur|poort|kluis|alarmet)`
const codes =
  String.raw`(?:(?:access |entry |pin |security |key ?pad |unlock )?codes?|combination|combo|pin|passcode|key ?pad|código|` +
  String.raw`codice|kombination|zahlenkombination|zugangscode|code-?pin)`

const pin: readonly Pattern[] = [
  {
    label: 'PIN',
    pattern: patternOf(
      'i',
      String.raw`(?:(?<![A-Za-zÀ-ɏ0-9])pin|(?<=karten|handy|sim|ec|konto|bank)-?pin|(?<![A-Za-zÀ-ɏ])pin[ -]?(?:code|number|nummer|` +
        String.raw`nr\.?)|pincode|geheimzahl|geheimnummer|code pin|puk[12]?)(?![A-Za-zÀ-ɏ])`,
      filler(6),
      sign,
      digits(4, 8),
    ),
    isSecret: (secret, [whole]) =>
      isNoDate(secret) && !/^\d{4}[ -]\d\d?[ -]/.test(secret) && (isNoYear(secret) || /(?:is|ist|es|est|[:=]) ?\W?\d+$/i.test(whole)),
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
      head,
      String.raw`(?:(?:phone|tablet|ipad|iphone|screen|device|laptop|watch)['’s]{0,2} (?:unlock |lock |pass)?(?:code|pattern)|` +
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
      head,
      String.raw`(?:cv[vcn]2?|cvv2|csc|card (?:verification|security|validation) (?:code|value|number)|prüfziffer|prüfnummer|` +
        String.raw`kartenprüfnummer|code de sécurité|cryptogramme|código de seguridad|código de segurança|codice di sicurezza|安全码|` +
        String.raw`セキュリティコード)(?![A-Za-zÀ-ɏ])`,
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
      head,
      String.raw`(?:security (?:code|number)|(?:three|3)[ -]digits?|sicherheitscode|code|digits)\s(?:on|auf|at|an) (?:the |my |` +
        String.raw`der )?(?:back|rückseite|signature strip)`,
      filler(5),
      sign,
      String.raw`(?<secret>\d{3,4})${end}`,
    ),
  },
  {
    label: 'CVV',
    pattern: patternOf('i', head, String.raw`(?:security|sicherheits)-? ?code\s?(?:is|ist|:)?\s`, String.raw`(?<secret>\d{3,4})${end}`),
  },
]

const doors: readonly Pattern[] = [
  {
    label: 'code',
    pattern: patternOf('i', head, String.raw`(?:gate|door|tür|tor)\s?[:：=]\s?`, String.raw`(?<secret>[#*]\d{3,8}|\d{3,8}[#*])`),
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      String.raw`(?:bike|gym|luggage|suitcase|combination|fahrrad) ?-?(?:lock|schloss)\s(?:is|ist|=)\s`,
      digits(3, 6),
    ),
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      head,
      things,
      String.raw`(?:['’]?s)?[ -]?(?:[A-Za-zÀ-ɏ]{1,12} ){0,1}`,
      codes,
      String.raw`(?![A-Za-zÀ-ɏ])`,
      filler(6),
      sign,
      String.raw`(?:[#*]\s?)?`,
      digits(3, 10),
    ),
    isSecret: isNoDate,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      head,
      codes,
      String.raw`\s(?:for|to|of|on|at|for the|für|vom|zum|zur|an|am|bei|beim|del?|de la|du|da|do|di|della|` +
        String.raw`van)\s(?:l['’])?(?:[A-Za-zÀ-ɏ]{1,16}[ ]){0,4}?(?:[ld]['’])?`,
      things,
      String.raw`(?![A-Za-zÀ-ɏ])`,
      filler(5),
      sign,
      String.raw`(?:[#*]\s?)?`,
      digits(3, 10),
    ),
    isSecret: isNoDate,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      head,
      String.raw`(?:code|código|codice)\s(?:de |d['’]|del |della |dell['’]|do |da )?(?:la |l['’])?`,
      things,
      filler(4),
      sign,
      digits(3, 10),
    ),
    isSecret: isNoDate,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      head,
      things,
      String.raw`[^.\d\n]{0,40}?\b(?:opens?|unlocks?|code|disarms?|combination|geht|öffnet|aufgeht)\b(?:\s(?:is|with|by|using|mit|auf|` +
        String.raw`the|code|pin|der|dem|zahl)){1,4}`,
      sign,
      digits(3, 10),
    ),
    isSecret: isNoDate,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      head,
      String.raw`(?:disarm|unlock|open|deactivate|entsperre?|öffne)\b(?:\s[A-Za-zÀ-ɏ]{1,14}){0,4}?\s(?:with|using|by|mit|con|` +
        String.raw`avec)(?:\s(?:the|code|pin|dem))?`,
      sign,
      digits(4, 10),
    ),
    isSecret: isNoDate,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      String.raw`(?:pad ?lock|bike lock|combination lock|schloss|suitcase|luggage lock|safe)\b(?:\s[A-Za-zÀ-ɏ]{1,14}){0,3}?\s(?:set|` +
        String.raw`programmed|eingestellt|steht|is)\s(?:to|as|auf|at)`,
      sign,
      digits(3, 8),
    ),
  },
  { label: 'code', pattern: patternOf('i', head, String.raw`(?:alarm|key ?pad|lock ?box|key ?safe)(?: code)?\s?[:：=]\s?`, digits(4, 10)) },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      String.raw`(?:alarm|tür|tor|haus|garagen|tresor|safe|schloss|spind|schließfach|schlüsselbox|zugangs|eingangs|digi|deur|poort|` +
        String.raw`kluis)-?(?:code|kombination|pin|nummer|zahl)(?![A-Za-zÀ-ɏ])`,
      filler(5),
      sign,
      String.raw`(?<secret>[#*]?(?=[A-Z]{0,3}\d)[A-Z0-9](?:[ -]?[A-Z0-9]){2,9}[#*]?)${end}`,
    ),
    isSecret: (secret) => (secret.match(/\d/g)?.length ?? 0) >= 3,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      String.raw`(?:门禁|门锁|大门|保险箱|保险柜|报警|警报|车库|玄関|金庫|ドア|アラーム)[^\x00-\x7f\s，。、]{0,6}(?:密码|代码|コード|番号)?\s?(?:是|为|は|が|[:：=])\s?`,
      String.raw`(?<secret>[#*]?\d{3,10}[#*]?)(?!\d)`,
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

const otp: readonly Pattern[] = [
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-zÀ-ɏ])code\s(?<secret>\d{4,8})\s(?:to|for|zum|pour|para|per)\s`,
      String.raw`(?:log|sign|verif|confirm|anmeld|einlogg|connect|reset|complete|finish)`,
    ),
  },
  {
    label: 'one time code',
    pattern: patternOf(
      'i',
      head,
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

const keyNouns =
  String.raw`(?:(?:api|access|auth|refresh|bearer|secret|private|admin|license|licence|product|activation|serial|shared|signing|` +
  String.raw`encryption|client|app|wallet|bot|session|deploy|webhook)[ _-]?(?:keys?|tokens?|secrets?|code)|` +
  String.raw`(?:api|lizenz|zugangs|produkt)-?(?:schlüssel|key|token)|cl[ée] (?:api|secrète|de licence)|clave (?:de )?(?:api|secreta)|` +
  String.raw`chave (?:de )?api|chiave (?:api|segreta)|token|tokens|` +
  String.raw`api[ -]?(?:密钥|密鑰|キー)|密钥|秘钥|令牌|アクセストークン|トークン|apiキー|シークレット|аpi-ключ)`

const keys: readonly Pattern[] = [
  {
    label: 'secret',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-zÀ-ɏ0-9]|public )`,
      keyNouns,
      '(?![A-Za-z])',
      filler(6),
      String.raw`(?:は|是|为)?`,
      String.raw`(?:\s{0,2}[:：=→]\s{0,3}|\s{0,2}->\s{0,2}|[ \t]{1,2}|(?<=[はが是为]))["'“「\x60]?(?:0x)?`,
      String.raw`(?<secret>(?=[A-Za-z_-]{0,64}\d)(?=[^A-Za-z\s]{0,64}[A-Za-z])[A-Za-z0-9][\w+/.~-]{14,255}={0,2})(?![\w(])`,
    ),
    isSecret: isRandom,
  },
  {
    label: 'secret',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-zÀ-ɏ0-9])(?:license|licence|product|activation|serial|cd|lizenz|produkt)[ -]?(?:key|code|schlüssel|number)`,
      filler(4),
      sign,
      String.raw`(?<secret>[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7})(?![\w-])`,
    ),
  },
]

/** Tells a random value from a name with a number in it, an address and a version. */
function isRandom(secret: string): boolean {
  if (/^\d{4}-\d\d-\d\d|^v?\d+(?:\.\d+)+$|^(?:https?|www|process|import|os|config)[.:/]|[a-z]+[A-Z]?[a-z]*\(/.test(secret)) return false
  const changes = secret.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])/g)?.length ?? 0
  return changes >= 3
}

const codeWords = ['code', 'código', 'codice', 'combo', 'combination', 'kombination', ' pin', '-pin', 'keypad', 'key pad', 'zahl', 'コード']

/** Texts without a digit hold no code. */
export const spokenCodes: readonly PatternGroup[] = [
  { words: [' pin', '-pin', 'geheim', 'puk', 'code', 'lock', '暗証', 'ピン', '密码', '비밀번호'], patterns: pin },
  { words: ['cv', 'csc', 'code', 'card ', 'prüf', 'back', 'rück', 'cryptogramme', 'código', 'codice', '安全码', 'コード'], patterns: card },
  {
    words: [
      ...codeWords,
      'alarm',
      'lock',
      'schloss',
      'safe',
      'gate:',
      'door:',
      'tür:',
      'disarm',
      'deactivate',
      'öffn',
      'opens',
      '门',
      '保险',
      '玄関',
      '金庫',
      'ドア',
    ],
    patterns: doors,
  },
  {
    words: [
      ...codeWords,
      'otp',
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
  {
    words: [
      'key',
      'token',
      'secret',
      'serial',
      'license',
      'licence',
      'activation',
      'schlüssel',
      'clé',
      'clave',
      'chave',
      'chiave',
      '密',
      '秘',
      '令牌',
      'トークン',
      'キー',
      'シークレット',
      'ключ',
    ],
    patterns: keys,
  },
]

const answer =
  String.raw`(?<secret>["'“]?[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9'’-]{2,30}` +
  String.raw`(?:\s[A-ZÀ-Þ][A-Za-zÀ-ɏ0-9'’-]{1,30}){0,2}["'”]?)(?=\s{0,2}(?:$|[,;.!?\n)]))`

/** Answers to the questions that stand in for a password. */
export const securityAnswers: readonly PatternGroup[] = [
  {
    words: ['security', 'secret', 'sicherheits', 'seguridad', 'question', 'maiden'],
    patterns: [
      {
        label: 'security answer',
        pattern: patternOf(
          '',
          head,
          String.raw`(?:[Ss]ecurity (?:question|answer)|[Ss]ecret (?:question|answer)|[Ss]icherheits(?:frage|antwort)|` +
            String.raw`[Pp]regunta de seguridad|[Qq]uestion (?:de sécurité|secrète))[^.\n]{0,80}?(?:[Aa]nswer|[Aa]ntwort|is|` +
            String.raw`[Rr]espuesta|[Rr]éponse|=|:)\s{0,2}[:=]?\s{0,2}`,
          answer,
        ),
        isSecret: (secret) => /^["'“]?\p{Lu}/u.test(secret) && !/^(?:What|Which|Who|Where|When|How|Your|My|The|Yes|No|None)\b/.test(secret),
      },
      {
        label: 'security answer',
        pattern: patternOf('', head, String.raw`(?:[Mm]other['’]?s|[Mm]om['’]?s|[Mm]um['’]?s) maiden name (?:is|was|:)\s{0,2}`, answer),
        isSecret: (secret) => /^["'“]?\p{Lu}/u.test(secret),
      },
    ],
  },
]

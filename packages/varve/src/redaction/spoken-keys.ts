import { filler } from './code-parts.ts'
import { type Pattern, type PatternGroup, patternOf } from './pattern.ts'

// Keys and licences behind their noun.

const keyNouns =
  String.raw`(?:(?:api|access|auth|refresh|bearer|secret|private|admin|license|licence|product|activation|serial|shared|signing|` +
  String.raw`encryption|client|app|wallet|bot|session|deploy|webhook|subscription|service|account|ingest|application|master|root|` +
  String.raw`unseal)` +
  String.raw`[ _-]?(?:keys?|tokens?|secrets?|code|ids?(?<=session[ _-]?ids?))(?: \d)?|` +
  String.raw`(?:api|lizenz|zugangs|produkt)-?(?:schlüssel|key|token)|cl[ée] (?:api|secrète|de licence)|clave (?:de )?(?:api|secreta)|` +
  String.raw`chave (?:de )?api|chiave (?:api|segreta)|token|tokens|secrets?|` +
  String.raw`api[ -]?(?:密钥|密鑰|キー)|密钥|秘钥|令牌|アクセストークン|トークン|apiキー|シークレット|аpi-ключ)`

/** Words between a noun and its key may have digits: the key for s3. */
const words = (most: number): string => String.raw`(?:[ \t]{1,2}["'“(]?[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9'’-]{0,20}["'”)]?){0,${most}}?`
const keyLink = String.raw`["'”]?(?:は|是|为)?(?:\s{0,2}[:：=→]\s{0,3}|\s{0,2}->\s{0,2}|,?[ \t]{1,2}|(?<=[はが是为]))["'“「\x60]?(?:0x)?`
const randomValue =
  String.raw`(?<secret>(?=[A-Za-z_+/-]{0,64}\d)(?=[^A-Za-z\s]{0,64}[A-Za-z])[A-Za-z0-9][\w+/.~-]{14,255}={0,2})` + String.raw`(?![\w(])`
/** Kinds of keys that open nothing. */
const harmlessKeys =
  String.raw`(?<!(?:public|publishable|primary|foreign|partition|cache|sort|bucket|object|s3|idempotency|ssh|routing|host|map|` +
  String.raw`row|shard|` +
  String.raw`composite|unique|translation|i18n|registry|signal|pgp|gpg|site|dedup|lookup|index|query|join|group|hash|data|react)[ _-]?)`

const keys: readonly Pattern[] = [
  {
    label: 'secret',
    pattern: patternOf('i', String.raw`(?<![A-Za-zÀ-ɏ0-9]|public )`, keyNouns, '(?![A-Za-z])', words(6), keyLink, randomValue),
    isSecret: isRandom,
  },
  // old weather key: … · PAT … · the key for the CRM is …
  {
    label: 'secret',
    pattern: patternOf(
      '',
      String.raw`(?<![A-Za-zÀ-ɏ0-9])`,
      harmlessKeys,
      String.raw`(?:[Kk]eys?|KEY|PAT|[Pp]at|apikey|[Aa][Pp][Ii]|[Ii]ngest|[Uu]nseal|[Ss]chlüssel)(?![A-Za-z])`,
      words(4),
      keyLink,
      randomValue,
    ),
    isSecret: (secret) => secret.length >= 16 && isVeryRandom(secret),
  },
  {
    label: 'secret',
    trace: /_KEY|_SALT|_PEPPER|_SEED|_SIGNATURE|_TOKEN|_HASH_SECRET/,
    pattern: patternOf(
      '',
      String.raw`(?<![A-Za-z0-9_])(?!(?:[A-Z0-9]{1,24}_){0,4}?(?:PUBLIC|PUBLISHABLE|PRIMARY|FOREIGN|CACHE|SORT|PARTITION|ANON|SITE|` +
        String.raw`SSH)_)(?:[A-Z0-9]{1,24}_){1,6}`,
      String.raw`(?:KEY|SALT|PEPPER|SEED)\s?[:=]\s?["']?(?<secret>(?:base64:)?[\w+/.~-]{16,512}={0,2})`,
    ),
    isSecret: isRandom,
  },
]

const licenceNouns =
  String.raw`(?:(?:license|licence|product|activation|serial|cd|steam|windows|office|game|xbox|psn|playstation|nintendo|switch|` +
  String.raw`gog|epic|` +
  String.raw`adobe|jetbrains|vmware|mac|software|registration|unlock|redeem|redemption|gift|voucher|beta)[ -]?(?:card )?(?:key|` +
  String.raw`code|number|` +
  String.raw`card|serial)|license|licence|serial|gift ?card|(?:lizenz|produkt|aktivierungs|registrierungs|gutschein|freischalt)-?` +
  String.raw`(?:schlüssel|code|key|nummer)|lizenz|cl[ée] (?:de (?:licence|produit)|d['’]activation|windows|office|steam)|` +
  String.raw`(?:clave|código) de (?:producto|licencia|activación|canje|regalo)|chave (?:do|de) (?:produto|licença|ativação)|` +
  String.raw`(?:chiave|codice) (?:di|del) (?:licenza|prodotto|attivazione)|licentie-?(?:sleutel|code)|productsleutel|activatiecode)`

/** Groups of capitals and digits. */
const grouped = /-[A-Z0-9]{3,10}-[A-Z0-9]{3}/
const isLicence = (secret: string): boolean => /\d/.test(secret) && /[A-Z]/.test(secret) && secret === secret.toUpperCase()

/** Licences. A search for numbers may not see them. */
export const licences: readonly Pattern[] = [
  {
    label: 'licence key',
    trace: grouped,
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-zÀ-ɏ0-9])`,
      licenceNouns,
      String.raw`(?![A-Za-zÀ-ɏ])`,
      filler(5),
      String.raw`["'”]?(?:\s{0,2}[:：=→#]\s{0,3}|\s{0,2}(?:->|–|—)\s{0,2}|,?\s{1,2})["'“]?`,
      String.raw`(?<secret>[A-Z0-9]{3,10}(?:-[A-Z0-9]{3,10}){2,7})(?![\w-])`,
    ),
    isSecret: (secret) => isLicence(secret) && !/^(?:[A-Z]{2,4}-)?(?:19|20)\d\d-/.test(secret),
  },
  // Five times five is the form of many makers.
  {
    label: 'licence key',
    trace: grouped,
    pattern: patternOf('', String.raw`(?<![\w-])(?<secret>[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4})(?![\w-])`),
    isSecret: isLicence,
  },
]

const base58 = '[1-9A-HJ-NP-Za-km-z]'
const bech32 = '[02-9ac-hj-np-z]'

/** Keys of wallets, by their form or behind their noun: runs of at least so many letters and digits. */
export const shortestWalletKey = 48
export const wallets: readonly Pattern[] = [
  {
    label: 'private key',
    pattern: patternOf(
      '',
      String.raw`(?<![A-Za-z0-9])(?:5${base58}{50}|[KLc9]${base58}{51}|6P${base58}{56}|[xyzuvtYZUV]prv${base58}{90,112}|` +
        String.raw`edsk${base58}{50,94}|` +
        String.raw`nsec1${bech32}{58}|S[A-Z2-7]{55}|(?:ed25519e?|xprv|addr_xsk|acct_xsk|` +
        String.raw`root_xsk)_?(?:sk)?1${bech32}{58,200})(?![A-Za-z0-9])`,
    ),
    isSecret: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret),
  },
  {
    label: 'private key',
    pattern: patternOf(
      'i',
      String.raw`(?:priv(?:ate)?[ _-]?key|(?:spend|view|wallet|signing|secret)[ _-]?key|secret exponent|privater schlüssel|` +
        String.raw`clé privée|clave privada|` +
        String.raw`chave privada|chiave privata|privésleutel|私钥|秘密鍵)(?:(?!public|address|öffentl|` +
        String.raw`publi[cq])[^\n]){0,80}?(?<![0-9a-f])(?:0x)?` +
        String.raw`(?<secret>[0-9a-f]{64})(?![0-9a-f])`,
    ),
  },
  {
    label: 'private key',
    pattern: patternOf(
      'i',
      String.raw`(?<![0-9a-z])(?:0x)?(?<secret>[0-9a-f]{64})\s(?:is|=|ist|est|es|as|als)\s[^\n.]{0,40}?(?:private|privater?|privée|` +
        String.raw`privada|privata|secret) ?(?:key|schlüssel)`,
    ),
  },
]

/** Tells a random value from a name with a number in it, an address and a version. */
function isRandom(secret: string): boolean {
  if (/^\d{4}-\d\d-\d\d|^v?\d+(?:\.\d+)+$|^(?:https?|www|process|import|os|config)[.:/]|[a-z]+[A-Z]?[a-z]*\(/.test(secret)) return false
  return !/^v?\d+\.\d+\.|(?:19|20)\d\d-\d\d-\d\d/.test(secret) && changesOf(secret) >= 3
}

/** Tells a value that nobody has written by hand. */
function isVeryRandom(secret: string): boolean {
  return (
    isRandom(secret) &&
    changesOf(secret) >= 5 &&
    !/^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}|\.(?:com|org|net|png|jpg|pdf|json|ts|js|py|md)\b|(?:^|\/)[a-z]{3,}(?:\/|$)/.test(secret)
  )
}

/** Changes between letters, digits and capitals. */
function changesOf(secret: string): number {
  return secret.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])/g)?.length ?? 0
}

const keyWords = (
  'key|api|ingest|unseal|token|secret|serial|license|licence|lizenz|activation|session|pat |schlüssel|clé|clave|chave|' +
  'chiave|密|秘|令牌|トークン|キー|シークレット|ключ|_salt|' +
  '_seed|_pepper|pat:'
).split('|')

/** Keys, by the words without which there is none. */
export const spokenKeys: readonly PatternGroup[] = [{ words: keyWords, patterns: keys }]

import { type Pattern, patternOf } from './pattern.ts'
import { strengthOf } from './secret-word.ts'

// Secrets in the files and headers of programs: .netrc, .pgpass, Docker's and Kubernetes' configuration, cookies,
// Wi-Fi codes.

const isFilled = (secret: string): boolean =>
  !/^(?:[$%<{*[(]|null|none|nil|x+$|\.+$|your|example|password$|passwd$|changeme|true$|false$|redacted)/i.test(secret)

const base64 = String.raw`[A-Za-z0-9+/_-]{8,8000}={0,2}`

const files: readonly Pattern[] = [
  // .npmrc and .yarnrc: base64 of a user's name and a password
  {
    label: 'secret',
    trace: /_auth|AuthIdent/i,
    pattern: patternOf(
      'i',
      String.raw`(?:(?<![A-Za-z0-9])_auth|npmAuthIdent)["']?\s{0,2}[:=]\s{0,2}["']?(?<secret>[A-Za-z0-9+/_:.-]{6,512}={0,2})`,
    ),
    isSecret: isFilled,
  },
  {
    label: 'password',
    trace: /machine\s|default\s/i,
    pattern: patternOf(
      'i',
      String.raw`\b(?:machine\s{1,4}[\w.:/-]{1,200}|default)\s{1,8}(?:login|` +
        String.raw`user)\s{1,4}\S{1,128}\s{1,8}(?:account\s{1,4}\S{1,64}\s{1,8})?password\s{1,4}(?<secret>[^\s"']{1,512})`,
    ),
    isSecret: (secret) => isFilled(secret) && !/^(?:form|field|manager|reset|is|and|or)\b/i.test(secret),
  },
  {
    label: 'password',
    trace: /:(?:\d{2,5}|\*):/,
    pattern: patternOf(
      'i',
      String.raw`(?<![\w:/.@-])(?:[\w-]{1,64}(?:\.[\w-]{1,64}){0,8}|\*):(?:\d{2,5}|\*):(?:[\w-]{1,64}|` +
        String.raw`\*):(?!password)[\w.-]{1,64}:(?<secret>[^\s:"'/][^\n:"']{2,127})(?=\s{0,2}(?:$|\n|["']))`,
    ),
    isSecret: (secret) => isFilled(secret) && !/^\d{1,3}(?:\s|$)/.test(secret),
  },
  {
    label: 'secret',
    pattern: patternOf(
      'i',
      String.raw`\\?["'](?:auth|identitytoken|` +
        String.raw`registrytoken)\\?["']\s{0,3}:\s{0,3}\\?["'](?<secret>(?=[^"']{0,512}[A-Z\d=])${base64})\\?["']`,
    ),
    isSecret: (secret) => secret.length >= 12,
  },
  {
    label: 'secret',
    trace: /[:=]\s{0,3}["']?[A-Za-z0-9+/]{20}/,
    pattern: patternOf(
      'i',
      String.raw`(?:\.dockerconfigjson|client-key-data|token-data|(?:tls|ca|server|client)\.key|` +
        String.raw`id_rsa)["']?\s{0,2}[:=]\s{0,3}["']?(?<secret>[A-Za-z0-9+/]{20,8000}={0,2})`,
    ),
  },
  {
    label: 'secret',
    trace: /\bkind:/,
    pattern: patternOf(
      '',
      String.raw`(?<=\bkind:\s{0,3}["']?Secret\b[^]{0,400}?\n(?:data|` +
        String.raw`stringData):\s{0,3}\n(?:[ \t]{1,8}[\w.-]{1,64}:[^\n]{0,512}\n){0,12}[ \t]{1,8}[\w.-]{1,64}:\s)` +
        String.raw`["']?(?<secret>[^\s"'|>]{4,8000})`,
    ),
    isSecret: isFilled,
  },
  {
    label: 'secret',
    trace: /\b(?:stringData|data):/,
    pattern: patternOf(
      '',
      String.raw`(?<=\b(?:stringData|data):\s{0,3}\n(?:[ \t]{1,8}[\w.-]{1,64}:[^\n]{0,256}\n){0,6}[ \t]{1,8}[\w.-]{0,40}(?:token|` +
        String.raw`password|secret|key|pass)[\w.-]{0,20}:\s)["']?(?<secret>[^\s"'|>]{4,8000})`,
    ),
    isSecret: isFilled,
  },
  { label: 'secret', pattern: patternOf('i', String.raw`--from-literal=["']?[\w.-]{1,64}=(?<secret>[^\s"']{3,512})`), isSecret: isFilled },
  {
    label: 'secret',
    pattern: patternOf('i', String.raw`\b(?:kubeadm|k3s)\b[^\n]{0,200}?--?token[ =](?<secret>[a-z0-9]{6}\.[a-z0-9]{16})`),
  },
  {
    label: 'password',
    pattern: patternOf(
      'i',
      String.raw`<(?:[\w:.-]{0,30}(?:password|passwd|passphrase|secret|api-?key|token))>\s{0,3}(?<secret>[^<>\s]{3,512})\s{0,3}</`,
    ),
    isSecret: isFilled,
  },
  {
    label: 'secret',
    pattern: patternOf(
      'i',
      String.raw`\b(?:key|name)\s{0,2}[=:]\s{0,2}["']?[\w.:-]{0,48}(?:pass(?:word|wd)?|pwd|secret|token|api_?key|access_?key|` +
        String.raw`private_?key|credentials?)["']?\s{1,24}(?:-\s)?value\s{0,2}[=:]\s{0,2}(?:"(?<double>[^"\n]{3,512})"|` +
        String.raw`'(?<single>[^'\n]{3,512})'|(?<bare>[^\s"'<>]{3,512}))`,
    ),
    isSecret: isFilled,
  },
  {
    label: 'secret',
    pattern: patternOf(
      'i',
      String.raw`\bdefine\s{0,2}\(\s{0,2}["'][\w.]{0,40}(?:pass(?:word)?|_key|secret|salt|` +
        String.raw`token)["']\s{0,2},\s{0,2}(?:"(?<double>[^"\n]{3,512})"|'(?<single>[^'\n]{3,512})')`,
    ),
    isSecret: isFilled,
  },
  {
    label: 'password',
    pattern: patternOf(
      'im',
      String.raw`^[ \t]{0,12}(?:export\s)?["']?(?:[\w.-]{0,40}[_.-])?(?:pass|passwd|pwd|psk|smtp_pass|` +
        String.raw`requirepass)["']?\s{0,2}[:=]\s{0,2}(?:"(?<double>[^"\n]{3,256})"|'(?<single>[^'\n]{3,256})'|` +
        String.raw`(?<bare>[^\s"'#;,]{3,256}))(?=[ \t]{0,4}(?:[#;][^\n]{0,200})?[,;]?$)`,
    ),
    isSecret: (secret, match) => isFilled(secret) && !/^\s{0,12}PWD/.test(match[0]) && strengthOf(secret) !== 'none',
  },
  {
    label: 'password',
    pattern: patternOf(
      '',
      String.raw`\b(?:[A-Z][A-Z0-9]{0,24}_){0,6}(?:PASS|PW|PASSWD|PASSPHRASE|SSHPASS|AUTH|SALT|` +
        String.raw`PEPPER)\s?[=]\s?["']?(?<secret>[^\s"';]{4,512})`,
    ),
    isSecret: isFilled,
  },
  {
    label: 'password',
    pattern: patternOf('i', String.raw`(?<=[;,{"' ])(?:Pwd|Uid=[^;]{1,64};Pwd)\s?=\s?(?<secret>[^\s;"'}]{3,256})`),
    isSecret: isFilled,
  },
  {
    label: 'private key',
    pattern: patternOf('', String.raw`Private-Lines:\s\d{1,4}\r?\n(?<secret>(?:[A-Za-z0-9+/=]{16,100}\r?\n?){1,200})`),
  },
  { label: 'private key', pattern: patternOf('', String.raw`Private-MAC:\s(?<secret>[0-9a-f]{40,64})`) },
]

const wifi: readonly Pattern[] = [
  {
    label: 'password',
    pattern: patternOf('', String.raw`\bWIFI:(?:[TSH]:(?:\\.|[^;\\]){0,100};){0,4}P:(?<secret>(?:\\.|[^;\\]){3,100});`),
  },
  { label: 'secret', pattern: patternOf('i', String.raw`\botpauth://[^\s"'<>]{1,300}?[?&]secret=(?<secret>[A-Z2-7]{8,128}=*)`) },
  {
    label: 'secret',
    trace: /(?:totp|2fa|mfa|otp|authenticator|setup)\s/i,
    pattern: patternOf(
      'i',
      String.raw`\b(?:totp|2fa|mfa|otp|authenticator|setup)\s(?:secret|seed|setup key|key)\s?(?:is|:|=)?\s?(?<secret>[A-Z2-7]{16,64}|` +
        String.raw`[a-z2-7]{4}(?:\s[a-z2-7]{4}){3,12})(?!\w)`,
    ),
  },
  {
    label: 'password',
    pattern: patternOf(
      'i',
      String.raw`\b(?:wpa_passphrase|wpa-psk|psk|wpa2?_key|wifi_pass(?:word)?)\s?[=:]\s?(?:"(?<double>[^"\n]{4,64})"|` +
        String.raw`(?<bare>[^\s"',;]{4,64}))`,
    ),
    isSecret: isFilled,
  },
]

const cookieNames =
  String.raw`(?:sess(?:ion)?(?:[_-]?(?:id|token|key|data))?|sid|PHPSESSID|JSESSIONID|ASP\.NET_SessionId|\.AspNetCore\.[\w.]{1,40}|` +
  String.raw`ASPSESSIONID\w{0,10}|\.ASPXAUTH|` +
  String.raw`auth_session|csrf\w{0,10}|xsrf[\w-]{0,10}|li_at|__Secure-[\w-]{1,40}|__Host-[\w-]{1,40}|remember[\w-]{0,40}|cf_clearance|` +
  String.raw`SAPISID|HSID|SSID|sp_dc|xoxd|c_user|(?<![\w.-])xs|wordpress_logged_in\w{0,40}|ct0|(?<![\w.-])d)`
const cookieValue = String.raw`[A-Za-z0-9%+/_.~|:!*-]{8,4000}={0,2}`

const cookies: readonly Pattern[] = [
  {
    label: 'cookie',
    trace: /SESSIONID|SESSID|"value"/i,
    pattern: patternOf(
      'i',
      String.raw`(?:(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId)["']?\s?:\s?|"name"\s?:\s?"[\w.-]{0,30}(?:sess|sid|auth|token|` +
        String.raw`csrf)[\w.-]{0,30}"\s?,\s{0,8}"value"\s?:\s?)["']?`,
      String.raw`(?<secret>(?=[^\s;]{0,200}\d)${cookieValue})`,
    ),
    isSecret: (secret) => secret.length >= 12,
  },
  // a line of a browser's cookie file
  {
    label: 'cookie',
    trace: /\t(?:TRUE|FALSE)\t/,
    pattern: patternOf(
      '',
      String.raw`\t(?:TRUE|FALSE)\t/[^\t\n]{0,200}\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,64}\t(?<secret>[^\s]{8,4000})`,
    ),
  },
  {
    label: 'cookie',
    trace: /\w\s?=\s?["']?[A-Za-z0-9%+/_.~|:!*-]{12}/,
    pattern: patternOf('i', String.raw`${cookieNames}\s?=\s?["']?(?<secret>(?=[^\s;]{0,200}\d)${cookieValue})`),
    isSecret: (secret) => secret.length >= 12,
  },
  {
    label: 'cookie',
    trace: /cookie/i,
    pattern: patternOf(
      'i',
      String.raw`(?<=\bcookie["']?\s{0,2}[:=]\s{0,3}["']?(?:[\w.-]{1,64}=[^;\n]{0,2000};\s?){0,12}[\w.-]{1,64}=)` +
        String.raw`(?<secret>(?=[^\s;]{0,400}\d)${cookieValue})`,
    ),
    isSecret: (secret) => secret.length >= 16,
  },
  {
    label: 'cookie',
    pattern: patternOf(
      'i',
      String.raw`(?:\bcurl\b[^\n|]{0,300}?\s(?:-b|--cookie)\s["']?[\w.-]{1,64}=|\bcookie(?:['’]s)?(?: value)?\s{0,2}(?:is|:|=|` +
        String.raw`ist)\s{0,2}["']?(?:[\w.-]{1,64}=)?)(?<secret>(?=[^\s;]{0,400}\d)${cookieValue})`,
    ),
    isSecret: (secret) => secret.length >= 16,
  },
]

/** Texts without such a sign are no files. */
const trace = /[=:]\s|[=:]["'\w]|machine\s|password|Private-|WIFI:|cookie|token|--from-literal|<\w|\t(?:TRUE|FALSE)\t/i

/** Finds secrets in files, headers and codes that programs read. */
export function filePatterns(text: string): readonly Pattern[] {
  return trace.test(text) ? all : []
}

const all: readonly Pattern[] = [...files, ...wifi, ...cookies]

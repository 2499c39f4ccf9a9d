import { type Pattern, patternOf } from './pattern.ts'
import { isRemark } from './secret-word.ts'

// Passwords in the arguments of commands, and in the files that programs read. Names of variables are no secrets.

const value = String.raw`(?:"(?<double>[^"\n]{1,256})"|'(?<single>[^'\n]{1,256})'|(?<bare>[^\s"'\x60|;&<>()]{1,256}))`

/** Each pattern ends with a value, quoted or bare. */
const commands: readonly RegExp[] = [
  String.raw`\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mysqlcheck)\b[^\n|;]{0,200}?\s-p(?=\S)(?!\s)`,
  String.raw`\bsshpass\s{1,3}-p\s{0,3}`,
  String.raw`\b(?:docker|podman|helm|oc|az|nerdctl|buildah|skopeo|crane)\b[^\n|;]{0,60}?\blogin\b[^\n|;]{0,160}?\s(?:-p|` +
    String.raw`--password)[ =]{1,2}`,
  String.raw`\b(?:redis-cli|redis-benchmark)\b[^\n|;]{0,120}?\s(?:-a|--pass)[ =]{1,2}`,
  String.raw`\b(?:mongo|mongosh|mongodump|mongorestore|mongoexport)\b[^\n|;]{0,160}?\s(?:-p|--password)[ =]{1,2}`,
  String.raw`\b(?:zip|unzip)\b[^\n|;]{0,120}?\s-P\s{0,2}`,
  String.raw`\b(?:7z|7za|7zz|rar|unrar)\b[^\n|;]{0,120}?\s-h?p(?=\S)`,
  String.raw`\bopenssl\b[^\n|;]{0,200}?\s(?:-k\s|-pass(?:in|out)?\s{1,2}["']?pass:)`,
  String.raw`\bxfreerdp\b[^\n|;]{0,160}?\s/p:`,
  String.raw`\b(?:sqlcmd|bcp)\b[^\n|;]{0,160}?\s-P\s{0,2}`,
  String.raw`\bhtpasswd\s(?:-\w{1,6}\s){0,3}[^\s]{1,100}\s[^\s]{1,64}\s`,
  String.raw`\b(?:twine|poetry|flit)\b[^\n|;]{0,120}?\s-p\s`,
  String.raw`\b(?:ldapsearch|ldapmodify|ldapadd|ldapwhoami|ldapdelete)\b[^\n|;]{0,160}?\s-w\s`,
  String.raw`\b(?:snmpwalk|snmpget)\b[^\n|;]{0,120}?\s-(?:c|A|X)\s`,
  String.raw`\bnet use\s[^\n|;]{0,20}?\\\\\S{1,100}\s(?:/[a-z]{1,12}(?::\S{1,64})?\s){0,3}(?!/)`,
  String.raw`\bnet user\s(?!/)\S{1,64}\s(?!/)`,
  String.raw`\b(?:cmdkey|runas|wmic|shutdown|winrs)\b[^\n|;]{0,160}?\s/(?:pass|password|p):`,
  String.raw`\b(?:plink|pscp|psftp|putty)(?:\.exe)?\b[^\n|;]{0,160}?\s-pw\s`,
  String.raw`\b(?:psexec(?:64)?(?:\.exe)?)\b[^\n|;]{0,160}?\s-p\s`,
  String.raw`\b(?:keytool|jarsigner)\b[^\n|;]{0,200}?\s-(?:storepass|keypass|deststorepass|srcstorepass)\s`,
  String.raw`\b(?:ipmitool|mosquitto_pub|mosquitto_sub)\b[^\n|;]{0,160}?\s-P\s{1,2}`,
  String.raw`\b(?:cqlsh|influx|clickhouse-client|kinit|pgbouncer|sshfs|rdesktop)\b[^\n|;]{0,120}?\s-(?:p|-password|password)\s`,
  String.raw`\brabbitmqctl\s(?:add_user|change_password)\s\S{1,64}\s`,
  String.raw`\baws configure set [\w.]{0,40}(?:secret_access_key|session_token)\s`,
  String.raw`\bnmcli\b[^\n|;]{0,120}?\spassword\s`,
  String.raw`\bssh-keygen\b[^\n|;]{0,120}?\s-[NP]\s`,
  String.raw`\becho\s(?=[^\n|]{1,200}\|\s{0,2}(?:sudo\s[^\n]{0,20}-S|docker login|podman login|gh auth login|passwd\b|vault login))`,
  String.raw`\s--(?:[a-z]{1,12}-)?(?:password|passwd|passphrase|pass|pw|token|secret|api-?key|auth-?token|access-?token|client-secret|` +
    String.raw`secret-key)[ =]{1,2}`,
  String.raw`\b(?:IDENTIFIED (?:WITH \w{1,40} )?BY|(?:USER|ROLE|LOGIN)\s[^\n;]{1,80}?(?:PASSWORD|PASSWORD =)|` +
    String.raw`SET PASSWORD(?: FOR [^\n=;]{1,80}?)?\s?=)\s{1,3}(?=['"])`,
  String.raw`(?:^|\n)\s{0,8}(?:requirepass|masterauth|bindpw|rootpw|enable secret(?: \d)?|neo4j_auth|secret_key_base)[ :=]{1,3}`,
].map((form) => patternOf('i', form, value))

/** `user:password` behind -u and the like. */
const pairs: readonly RegExp[] = [
  String.raw`\bcurl\b[^\n|]{0,300}?\s(?:-u\s{0,2}|--user[ =]|-U\s{0,2}|--proxy-user[ =])["']?[^\s:"']{1,128}:`,
  String.raw`\b(?:http|https|xh)\s[^\n|]{0,120}?(?:-a|--auth)[ =]["']?[^\s:"']{1,128}:`,
  String.raw`\b(?:smbclient|rpcclient|smbget|crackmapexec)\b[^\n|]{0,160}?\s-U\s{0,2}["']?[^\s%"']{1,64}%`,
  String.raw`\bsqlplus\s(?:-\w{1,4}\s)?[\w.-]{1,64}/(?=[^\s@]{1,64}@)`,
  String.raw`\becho\s["']?[\w.-]{1,64}:(?=[^\n|]{1,200}\|\s{0,2}(?:sudo\s)?chpasswd)`,
].map((form) => patternOf('', form, String.raw`(?<bare>[^\n"'|]{1,128}(?=["'])|[^\s"'|]{1,128})`))

/** Texts of programs are known by one of these. */
const trace = new RegExp(
  String.raw`\s-{1,2}\w|\bnet use\b|\bxfreerdp\b|\bnet user\b|/pass|rabbitmqctl|aws configure|identified|\bpassword\b|` +
    String.raw`requirepass|masterauth|bindpw|rootpw|secret|echo `,
  'i',
)

/** Finds passwords in the arguments of commands. */
export function commandPatterns(text: string): readonly Pattern[] {
  return trace.test(text) ? patterns : []
}

const patterns: readonly Pattern[] = [...commands, ...pairs].map((pattern) => ({ label: 'password', pattern, isSecret: isArgument }))

/** Text in the place of a password: variables, placeholders, file names, ports. */
const placeholder = new RegExp(
  String.raw`^(?:[$%<{*[(|>&]|\.{2,}|x+$|\d{1,3}$|\d{2,5}:\d{2,5}|(?:null|none|nil|your|pass(?:word|wd|phrase)?|pwd|pw|secret|` +
    String.raw`token|file|stdin|env|string|true|false|required|prohibit-password|example)(?![\p{L}\p{N}]))`,
  'iu',
)

function isArgument(secret: string): boolean {
  return /[\p{L}\p{N}]/u.test(secret) && !placeholder.test(secret) && !isRemark(secret)
}

import type { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend'
import type { Finding } from './finding.ts'

type Rule = (typeof presetRules)[number]
type Context = Parameters<Rule['create']>[0]
type Source = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0]

const prefix = '@secretlint/secretlint-rule-'

// `filter-comments` lets a text switch the search off by a comment in it. `gcp` reads files by name. The last two would
// take the whole address, host and database included; patterns.ts takes the password alone, of any scheme.
const unwanted: ReadonlySet<string> = new Set(['filter-comments', 'gcp', 'basicauth', 'database-connection-string'])

/** Not secrets: AWS says so of account ids, and the pattern takes bank accounts of twelve digits as well. */
const harmless: ReadonlySet<string> = new Set(['AWSAccountID'])

const labels: ReadonlyMap<string, string> = new Map([
  ['aws', 'AWS key'],
  ['privatekey', 'private key'],
  ['npm', 'npm token'],
  ['slack', 'Slack token'],
  ['sendgrid', 'SendGrid key'],
  ['stripe', 'Stripe key'],
  ['github', 'GitHub token'],
  ['gitlab', 'GitLab token'],
  ['openai', 'OpenAI key'],
  ['anthropic', 'Anthropic key'],
  ['groq', 'Groq key'],
  ['huggingface', 'Hugging Face token'],
  ['1password', '1Password token'],
  ['hashicorp-vault', 'Vault token'],
])

/** Finds secrets in a text by the rules of secretlint's preset. */
export type SecretScan = (text: string) => Promise<Finding[]>

/**
 * Loads the preset's rules. They are run here, not by @secretlint/core: its profiler is always on, and every call leaves
 * 62 marks in the host's performance timeline for good; and it compares every finding with every other (13.0.7).
 */
export async function loadPreset(): Promise<SecretScan> {
  const preset = await import('@secretlint/secretlint-rule-preset-recommend')
  const rules = preset.rules.filter(({ meta }) => !unwanted.has(nameOf(meta.id)))
  return async (text) => {
    const found: Finding[] = []
    const source = sourceOf(text)
    for (const rule of rules) await rule.create(contextOf(text, labelOf(rule), found), options).file?.(source)
    return found
  }
}

/** Other rules know no such option, and pass it over. */
const options = { enableIDScanRule: true }

function nameOf(id: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

function labelOf({ meta }: Rule): string {
  const name = nameOf(meta.id)
  return labels.get(name) ?? `${name.charAt(0).toUpperCase()}${name.slice(1)} token`
}

function contextOf(text: string, label: string, found: Finding[]): Context {
  return {
    sharedOptions: {},
    createTranslator: () => (messageId, data) => ({ message: '', messageId: String(messageId), data }),
    report: ({ message, range: [from, to] }) => {
      if (!harmless.has(message.messageId)) found.push({ ...exact(text, { from, to }, message.data), label, specific: true })
    },
    ignore: () => undefined,
  }
}

/**
 * Where a pattern begins with the secret's name, some rules report the secret's length from the beginning of the name, and
 * the secret's end would stay. The secret itself is in the report's data.
 */
function exact(text: string, range: { from: number; to: number }, data: unknown): { from: number; to: number } {
  const [secret] = typeof data === 'object' && data !== null ? Object.values(data) : []
  if (typeof secret !== 'string' || secret === '') return range
  const from = text.indexOf(secret, range.from)
  return from === -1 || from > range.to ? range : { from, to: from + secret.length }
}

/** Without a name, the rules for files of one name look at every text. Rules read the text and never ask for lines. */
function sourceOf(content: string): Source {
  const start = { line: 1, column: 0 }
  return {
    hasBOM: false,
    content,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start, end: start }),
    positionToIndex: () => 0,
    indexToPosition: () => start,
  }
}

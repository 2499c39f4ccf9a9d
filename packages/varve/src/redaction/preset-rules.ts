import type { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend'
import type { Finding } from './finding.ts'

type Rule = (typeof presetRules)[number]
type Context = Parameters<Rule['create']>[0]
type Source = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0]

const prefix = '@secretlint/secretlint-rule-'

// `filter-comments` lets a comment in a text switch the search off. `gcp` reads files by name. The last two take the
// whole address with host and database; patterns.ts takes the password alone, of any scheme.
const unwanted: ReadonlySet<string> = new Set(['filter-comments', 'gcp', 'basicauth', 'database-connection-string'])

/** Findings that are no secrets. AWS says so of account ids, and their pattern also takes bank accounts of twelve digits. */
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
 * Loads the preset's rules, to run them here instead of in @secretlint/core (13.0.7). Its profiler is always on: every
 * call leaves 62 marks in the host's performance timeline for good. It also compares every finding with every other.
 */
export async function loadPreset(): Promise<SecretScan> {
  const preset = await import('@secretlint/secretlint-rule-preset-recommend')
  const rules = preset.rules.filter(({ meta }) => !unwanted.has(nameOf(meta.id)))
  return async (text) => {
    if (!longRun.test(text)) return []
    const found: Finding[] = []
    const source = sourceOf(text)
    for (const rule of rules) await rule.create(contextOf(text, labelOf(rule), found), options).file?.(source)
    return found
  }
}

/** Every secret that the preset knows has a run like this. Prose seldom has one, and the preset's rules cost the most. */
const longRun = /(?<![\w+/=.:~-])[\w+/=.:~-]{16}/

/** Other rules do not know this option, and ignore it. */
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
 * Corrects a range. Where a pattern begins with the secret's name, some rules count the secret's length from the name's
 * start. Then the secret's end would stay. The report's data holds the secret itself.
 */
function exact(text: string, range: { from: number; to: number }, data: unknown): { from: number; to: number } {
  const [secret] = typeof data === 'object' && data !== null ? Object.values(data) : []
  if (typeof secret !== 'string' || secret === '') return range
  const from = text.indexOf(secret, range.from)
  return from === -1 || from > range.to ? range : { from, to: from + secret.length }
}

/** Makes a source without a name, so that rules for files of one name look at every text. Rules read the text, and never its lines. */
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

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uuidv7 } from '../ids/uuid.ts'
import { newKeyText } from '../keys/key-text.ts'
import { longestSecret } from './finding.ts'
import { redact } from './redact.ts'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'
import { runs } from '../testing/runs.ts'

// Joined at run time: a scanner that reads this repository finds no secret in it.
const join = (...pieces: string[]): string => pieces.join('')
const letters = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY'
const run = (length: number): string => letters.repeat(Math.ceil(length / letters.length)).slice(0, length)
const dashes = '-'.repeat(5)
const pem = (kind: string, body: string, end = true): string =>
  join(dashes, 'BEGIN ', kind, 'PRIVATE KEY', dashes, '\n', body, end ? join('\n', dashes, 'END ', kind, 'PRIVATE KEY', dashes) : '')
const base64Lines = (count: number): string => Array.from({ length: count }, () => run(64)).join('\n')

const own = async (text: string): Promise<string> => (await redact([text], 'model')).texts[0] ?? ''

const secrets: readonly (readonly [label: string, secret: string])[] = [
  ['AWS key', join('AKI', 'A', 'QWERTYUIOPASDFGH')],
  ['npm token', join('np', 'm_', run(36))],
  ['Slack token', join('xox', 'b-', '123456789012-', run(24))],
  ['SendGrid key', join('S', 'G.', run(22), '.', run(43))],
  ['Stripe key', join('sk_', 'live_', run(24))],
  ['GitHub token', join('gh', 'p_', run(36))],
  ['GitHub token', join('github', '_pat_', run(82))],
  ['Varve key', newKeyText(uuidv7())],
  ['GitLab token', join('gl', 'pat-', run(20))],
  ['OpenAI key', join('s', 'k-', run(20), 'T3Blbk', 'FJ', run(20))],
  ['API key', join('s', 'k-', 'or-v1-', run(40))],
  ['Anthropic key', join('sk-', 'ant-api03-', run(93), 'AA')],
  ['Groq key', join('gs', 'k_', run(52))],
  ['Hugging Face token', join('h', 'f_', 'abcdefghijklmnopqrstuvwxyzABCDEFGH')],
  ['Google key', join('AI', 'za', run(35))],
  ['Telegram token', join('123456789:', 'AA', run(33))],
  ['JWT', join('ey', 'J', run(20), '.ey', 'J', run(40), '.', run(43))],
  ['private key', pem('RSA ', join('MI', base64Lines(20)))],
  ['private key', pem('OPENSSH ', base64Lines(10))],
  ['private key', pem('ENCRYPTED ', join('Proc-Type: 4,ENCRYPTED\n\n', base64Lines(10)))],
  ['private key', pem('', base64Lines(3), false)],
  ['private key', pem('EC ', base64Lines(4)).replaceAll('\n', String.raw`\n`)],
  ['private key', join('AGE-SECRET', '-KEY-1', run(58).toUpperCase())],
]

describe('a secret that is known by its form', () => {
  test.each(secrets)('%s', async (label, secret) => {
    expect(await own(`before ${secret}\nafter`)).toBe(`before [redacted: ${label}]\nafter`)
  })

  test.each(secrets.slice(0, 6))('%s behind a byte order mark and emoji', async (label, secret) => {
    expect(await own(`\uFEFF👩🏽‍🚀🧂 ${secret} 🧂`)).toBe(`\uFEFF👩🏽‍🚀🧂 [redacted: ${label}] 🧂`)
  })
})

const value = run(20)
const named: readonly (readonly [before: string, secret: string, after: string, label: string])[] = [
  ['postgres://ada:', 'pa55', '@db.internal:5432/shop?x=1', 'password'],
  ['mysql://root:', 'a/b@c', '@db/shop', 'password'],
  ['redis://:', value, '@cache:6379', 'password'],
  ['https://ada:', 'correct-horse', '@git.acme.org/repo.git', 'password'],
  ['Authorization: Basic ', run(24), '\n', 'authorization'],
  ['curl -H "authorization: Bearer ', run(32), '" https://acme.org', 'authorization'],
  ['send it as bearer ', run(32), ' please', 'bearer token'],
  ['DB_PASSWORD=', 'letmein', '\nDEBUG=1', 'password'],
  ['export STRIPE_SECRET_KEY="', value, '"', 'secret'],
  ['APP_SECRET=', 'correcthorse', '', 'secret'],
  ['{"clientSecret": "', value, '", "port": 80}', 'secret'],
  ['{"password": "', 'letmein', '"}', 'password'],
  ['api_key: ', value, '\n', 'secret'],
  ['Server=db;User Id=ada;Password=', 'hunter', ';Port=1', 'password'],
  ['my password is ', 'hunter2!x', ', thanks', 'password'],
  ['Das Passwort ist ', 'Sommer2024', '.', 'password'],
  ['пароль: ', 'лето2024', '', 'password'],
  ['aws_secret_access_key = ', join(run(38), '/x'), '\n', 'AWS key'],
  ['const awsSecret = { secretAccessKey: "', join(run(38), '/x'), '" }', 'AWS key'],
  ['//registry.acme.org/:_authToken=', run(36), '\n', 'secret'],
  ['https://acme.blob/x?sv=1&sig=', join(run(43), '%3D'), '&se=2', 'Azure signature'],
]

test.each(named)('%s… loses its secret and nothing else', async (before, secret, after, label) => {
  expect(await own(before + secret + after)).toBe(`${before}[redacted: ${label}]${after}`)
})

test.each([
  'the id is 550e8400-e29b-41d4-a716-446655440000',
  'see commit 3f786850e387550fdab836ed7e6dc881de23001b',
  `data:image/png;base64,iVBORw0KGgo${run(400)}==`,
  'the colour is #ff8800, not #FF8800AA',
  'IBAN: DE89 3704 0044 0532 0130 00',
  'ring +49 30 1234567 or (555) 010-9999',
  'bank account: 123456789012',
  'https://acme.org:8080/pictures/cat@2x.png',
  'postgres://localhost:5432/shop?mail=ada@acme.org',
  'write to ada@acme.org, or ssh git@acme.org:team/repo.git',
  'the password is important, and the token: expired',
  'type Login = { password: string; token?: string }',
  'const token = process.env.API_TOKEN',
  'const password = readPassword(prompt)',
  'const apiKey = config.apiKey2',
  'PASSWORD=${DB_PASSWORD}',
  'PWD=/home/ada/project2',
  'MAX_TOKEN=4096 maxTokens: 4000',
  'bearer of the responsibilities, bearer responsibilities-and-duties',
  'secret: nobody knows',
  `${dashes}BEGIN PRIVATE KEY${dashes} is how such a file begins`,
  'secretlint-disable nothing',
  'OPENAI_API_KEY=sk-...',
  'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx',
  'WIFI:T:WPA;S:Home;P:<password>;;',
  'String key = System.getenv("API_KEY");',
  `${dashes}BEGIN CERTIFICATE${dashes}\n${run(50)}/Pw/zo2==\n${dashes}END CERTIFICATE${dashes}`,
  '\uFEFF',
  '',
])('%j stays as it is', async (text) => {
  expect(await redact([text], 'model')).toEqual({ texts: [text], found: 0 })
})

test('a token in the place of a user’s name', async () => {
  expect(await own(`https://${run(30)}:x-oauth-basic@github.com/acme`)).toBe(
    'https://[redacted: npm token]:[redacted: password]@github.com/acme',
  )
})

test('words between the marks of a certificate are read: only base64 is left out', async () => {
  const text = `${dashes}BEGIN CERTIFICATE${dashes}\nmy password is hunter2!x\n${dashes}END CERTIFICATE${dashes}`
  expect(await own(text)).not.toContain('hunter2!x')
})

test('the turns of a dial are a code beside a safe, and a way elsewhere', async () => {
  expect(await own('the safe: left to 42, right to 17, left to 63')).toBe('the safe: [redacted: code]')
  expect(await own('go left to 42, right to 17, left to 63')).toBe('go left to 42, right to 17, left to 63')
})

test('a comment for secretlint does not switch the search off', async () => {
  const secret = secrets[0]?.[1] ?? ''
  expect(await own(`<!-- secretlint-disable -->\n${secret}`)).not.toContain(secret)
})

test('nothing is left in the host’s performance timeline', async () => {
  const before = performance.getEntries().length
  await redact(['a text', secrets[0]?.[1] ?? ''], 'model')
  expect(performance.getEntries().length).toBe(before)
})

test('counts its markers, text by text', async () => {
  const [aws, npm] = [secrets[0]?.[1] ?? '', secrets[1]?.[1] ?? '']
  expect(await redact([`${aws} ${npm}`, 'nothing', aws], 'model')).toEqual({
    texts: ['[redacted: AWS key] [redacted: npm token]', 'nothing', '[redacted: AWS key]'],
    found: 3,
  })
})

test('a secret is found wherever it stands in a long text', async () => {
  const secret = pem('RSA ', join('MI', base64Lines(180)))
  expect(secret.length).toBeLessThan(longestSecret)
  for (const before of [
    longestSecret - 7,
    longestSecret,
    2 * longestSecret - secret.length + 1,
    2 * longestSecret - 1,
    5 * longestSecret,
  ]) {
    const filler = 'word '.repeat(before).slice(0, before)
    expect(await own(`${filler}\n${secret}\n${filler}`), `after ${before}`).toBe(`${filler}\n[redacted: private key]\n${filler}`)
  }
})

const piece = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    ...secrets.map(([, secret]) => ` ${secret} `),
    ...named.map(([before, secret, after]) => `\n${before}${secret}${after}\n`),
    '\uD83D',
    '\uDC00',
    'password=',
    '://',
    '@',
    dashes,
  ),
)

test('odd texts never fail, no known secret is left, and the second time finds nothing more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const { texts } = await redact([pieces.join('')], 'shared')
      for (const [, secret] of secrets) if (pieces.includes(` ${secret} `)) expect(texts[0]).not.toContain(secret)
      expect((await redact(texts, 'shared')).texts).toEqual(texts)
    }),
    { numRuns: runs(150) },
  )
})

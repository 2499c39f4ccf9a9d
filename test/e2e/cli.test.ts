import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { type Outcome, typedHere } from '../fixtures/cli/in-process.ts'

const main = builtProgram('packages/varve/src/cli/main.ts')
const home = mkdtempSync(join(realpathSync(tmpdir()), 'varve-cli-'))
const escape = '\u001b['

/**
 * Gives the environment of a shell, without the variables that tell how the tests were started. The cache is for speed:
 * a command compiles its sources.
 */
function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TERM: 'xterm-256color',
    VARVE_EMBEDDINGS: 'off',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    ...more,
  }
}

interface Running {
  readonly input?: string
  readonly cwd?: string
  readonly env?: Record<string, string>
  /** Runs in a process of its own: locks on files are a process's, and a bare version is told before anything is loaded. */
  readonly alone?: boolean
  /** The command gets a Ctrl-C once this resolves; it runs in a process of its own. */
  readonly interrupt?: Promise<void>
}

function varve(
  args: readonly string[],
  { input = '', cwd = home, env = {}, interrupt, alone = interrupt !== undefined }: Running = {},
): Promise<Outcome> {
  if (!alone) return typedHere(args, { input, cwd, env: environment(env) })
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], { cwd, env: environment(env) })
    interrupt?.then(() => child.kill('SIGINT'), reject)
    const told = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (told.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (told.stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...told }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

function piecesOf(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => bytes.subarray(at * length, (at + 1) * length))
}

/**
 * Runs a command in a process of its own behind a shell's pipe. Each piece is written when the one before is gone. A
 * child of Node has a socket for its stdin.
 */
async function piped(args: readonly string[], pieces: readonly Buffer[], from = 'cat | '): Promise<Outcome> {
  const child = spawn('bash', ['-c', `${from}"$0" "$@"`, process.execPath, main, ...args], { cwd: home, env: environment() })
  const told = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  // A command that ends before it has read everything says why.
  child.stdin.on('error', () => undefined)
  for (const piece of pieces) await new Promise<void>((resolve) => child.stdin.write(piece, () => resolve()))
  child.stdin.end()
  const [stdout, stderr] = await told
  return { code: child.exitCode, stdout, stderr }
}

function emptyFolder(): string {
  return mkdtempSync(join(home, 'empty-'))
}

const talk = [
  {
    session: 'monday',
    sessionName: 'The keys',
    id: 'm1',
    role: 'user',
    name: 'Marlene',
    at: '2026-05-04T09:00:00Z',
    content: 'Where does the spare key hang?',
  },
  {
    session: 'monday',
    id: 'm2',
    role: 'user',
    name: 'Nando',
    at: '2026-05-04T09:01:00Z',
    content: 'Behind the barometer in the bait shop.',
  },
  { session: 'tuesday', id: 't1', role: 'assistant', at: '2026-05-05T09:00:00Z', content: 'A bowl of soup costs seven euros.' },
]
const file = join(home, 'talk.jsonl')
const store = join(home, 'shared.db')
let imported: Outcome | undefined

beforeAll(async () => {
  writeFileSync(file, talk.map((line) => JSON.stringify(line)).join('\n'))
  imported = await varve(['import', file, '--store', store, '--json'])
})

afterAll(() => rmSync(home, { recursive: true }))

describe('reading', () => {
  test('an import reports what it stored, as JSON', () => {
    expect(imported).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(imported?.stdout ?? '')).toMatchObject({ format: 'jsonl', sessions: 2, messages: 3, stored: 3, duplicates: 0 })
  })

  test('an import run again stores nothing again, and its report is data', async () => {
    const again = await varve(['import', file, '--store', store])
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('0 stored, 3 there already.')
    expect(again.stdout).not.toContain('Next:')
    expect(again.stderr).toBe(
      `Upkeep would now add: 2 sessions to read for gists, facts and instructions.\nNext: varve upkeep --store ${store}\n`,
    )
  })

  test('an import tells what was forgotten before, and restores it when asked', async () => {
    const own = join(emptyFolder(), 'own.db')
    await varve(['import', file, '--store', own])
    await varve(['forget', '--session', 'tuesday', '--yes', '--store', own])
    const again = await varve(['import', file, '--store', own])
    expect(again.stdout).toContain('0 stored, 2 there already, 1 forgotten before and left out (--restore-forgotten stores them).')
    const appended = await varve(['append', 'tuesday', 'A bowl of soup', '--id', 't1', '--store', own])
    expect(appended.stdout).toBe('Stored 0 messages in tuesday; 1 forgotten before and left out (--restore-forgotten stores them).\n')
    const restored = await varve(['import', file, '--restore-forgotten', '--store', own])
    expect(restored.stdout).toContain('1 stored, 2 there already.')
  })

  test('a dry run counts everything and makes no store', async () => {
    const cwd = emptyFolder()
    const dry = await varve(['import', file, '--dry-run'], { cwd })
    expect(dry.code).toBe(0)
    expect(dry.stdout).toContain('3 messages in 2 sessions')
    expect(dry.stderr).toBe(`Nothing was stored.\nNext: varve import ${file}\n`)
    expect(readdirSync(cwd)).toEqual([])
  })

  test('recall prints who said it, when, where and why', async () => {
    const { code, stdout, stderr } = await varve(['recall', 'where', 'is', 'the', 'spare', 'key', '--store', store, '--limit', '1'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^confidence [01]\.\d\d\n$/) })
    const [head = '', text = '', why = '', id = ''] = stdout.split('\n')
    expect(head).toMatch(/^1\. +0\.\d{3} {2}2026-05-04 09:01 {2}Nando {2}monday #2$/)
    expect(text.trim()).toBe(talk[1]?.content)
    expect(why).toMatch(/0\.\d{3} near it: 'spare', 'key'/)
    expect(id).toMatch(/^ {3}id [0-9a-f-]{36}$/)
  })

  test('recall takes every filter, and --json is what the library returns', async () => {
    const filters = [
      '--session',
      'monday',
      '--exclude-session',
      'tuesday',
      '--from',
      '2026-05-04',
      '--to',
      '2026-05-04',
      '--min-score',
      '0.01',
      '--half-life-days',
      '9000',
      '--neighbours',
      '1',
      '--limit',
      '1',
    ]
    const { code, stdout, stderr } = await varve(['recall', 'barometer', '--store', store, '--json', ...filters])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { hits, degraded } = JSON.parse(stdout)
    expect(degraded).toEqual([])
    expect(hits).toHaveLength(1)
    expect(hits[0]).toMatchObject({
      kind: 'message',
      session: 'monday',
      externalId: 'm2',
      text: talk[1]?.content,
      neighbours: [{ externalId: 'm1' }],
    })
    const other = await varve(['recall', 'barometer', '--store', store, '--json', '--metadata', 'likes=3'])
    expect(JSON.parse(other.stdout)).toEqual({ hits: [], confidence: 0, degraded: [] })
  })

  test('no match is not a failure: nothing on stdout, a sentence on stderr, exit code 0', async () => {
    const { code, stdout, stderr } = await varve(['recall', 'zeppelin', '--store', store])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^No match/)
  })

  test('context puts the text on stdout, and what it is made of on stderr', async () => {
    const { code, stdout, stderr } = await varve([
      'context',
      'the spare key',
      '--store',
      store,
      '--session',
      'tuesday',
      '--persona',
      'You sell soup.',
      '--max-tokens',
      '300',
    ])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^You sell soup\.\n/)
    expect(stdout).toContain('Where does the spare key hang?')
    expect(stdout).not.toContain('tokens')
    expect(stderr).toMatch(/^\d+ tokens, 3 messages, context [0-9a-f-]{36}\n/)
    expect(stderr).toContain("matches 'spare', 'key'")
  })

  test('context --json is one object, within its budget', async () => {
    const { stdout } = await varve(['context', 'the spare key', '--store', store, '--max-tokens', '70', '--json'])
    const context = JSON.parse(stdout)
    expect(context.tokens).toBeLessThanOrEqual(70)
    expect(Object.keys(context)).toEqual(['id', 'text', 'tokens', 'sections', 'omitted', 'degraded', 'confidence'])
  })

  test('sessions are listed newest first, and shown', async () => {
    const listed = await varve(['sessions', '--store', store])
    expect(listed.stdout).toBe('2026-05-05 09:00  1 message   tuesday\n2026-05-04 09:01  2 messages  monday  The keys\n')
    const one = await varve(['sessions', '--limit', '1', '--json', '--store', store])
    expect(JSON.parse(one.stdout)).toMatchObject({ sessions: [{ id: 'tuesday', messages: 1 }] })
    const shown = await varve(['sessions', 'show', 'monday', '--limit', '1', '--store', store])
    expect(shown.stdout).toMatch(/^#2 {2}2026-05-04 09:01 {2}Nando {2}id [0-9a-f-]{36}\n {4}Behind the barometer in the bait shop\.\n$/)
    expect(shown.stderr).toContain('--before 2')
    const data = await varve(['sessions', 'show', 'monday', '--before', '2', '--no-tools', '--json', '--store', store])
    expect(JSON.parse(data.stdout)).toMatchObject({ session: { id: 'monday', name: 'The keys' }, messages: [{ seq: 1 }] })
  })

  test('doctor looks at the store and at what runs it', async () => {
    const { code, stdout } = await varve(['doctor', '--store', store, '--json'])
    expect(code).toBe(0)
    const { ok, checks } = JSON.parse(stdout)
    expect(ok).toBe(true)
    expect(checks.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['varve', 'node', 'store', 'schema', 'integrity']),
    )
    expect(checks[1].detail).toContain(process.versions.node)
    expect((await varve(['doctor'], { env: { VARVE_STORE: store } })).stdout).toMatch(/^ok {4}varve /)
  })
})

/** Resolves when a file has so many bytes, while another process writes it. */
async function grown(path: string, bytes: number): Promise<void> {
  for await (const _change of watch(dirname(path))) if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= bytes) return
}

describe('writing', () => {
  const own = join(home, 'own.db')
  const in_ = (...args: string[]): string[] => [...args, '--store', own, '--project', 'kiosk', '--user', 'ada']

  test('append stores an argument, stdin, and lines of JSON', async () => {
    const argument = await varve(
      in_('append', 's', 'The kiosk opens on the 16th.', '--name', 'Nando', '--at', '2026-05-04T09:00:00Z', '--id', 'a'),
    )
    expect(argument).toEqual({ code: 0, stdout: 'Stored 1 message in s.\n', stderr: '' })
    expect((await varve(in_('append', 's', '--role', 'assistant'), { input: 'Which one?\n' })).code).toBe(0)
    const lines = `{"role":"user","content":"again","id":"a"}\n\n{"role":"user","content":"soup","metadata":{"likes":3}}\n`
    const jsonl = await varve(in_('append', 's', '--jsonl', '--json'), { input: lines })
    expect(JSON.parse(jsonl.stdout)).toMatchObject({
      messages: [
        { seq: 1, duplicate: true },
        { seq: 3, duplicate: false },
      ],
      duplicates: ['a'],
    })
    const { stdout } = await varve(in_('sessions', 'show', 's', '--json'))
    expect(JSON.parse(stdout).messages.map(({ content }: { content: string }) => content)).toEqual([
      'The kiosk opens on the 16th.',
      'Which one?',
      'soup',
    ])
    const liked = await varve(in_('recall', 'soup', '--metadata', 'likes=3', '--json'))
    expect(JSON.parse(liked.stdout).hits).toHaveLength(1)
  })

  test('a text from a pipe is whole, whatever bytes the pipe gives at a time', async () => {
    // One byte, then four to a character: no chunk of the pipe's 64 KiB ends where a character does.
    const said = `x${'🦊'.repeat(50_000)}`
    const appended = await piped(['append', 'piped', '--store', own], piecesOf(Buffer.from(`${said}\n`), 30_000))
    expect(appended).toEqual({ code: 0, stdout: 'Stored 1 message in piped.\n', stderr: '' })
    const { messages } = JSON.parse((await varve(['sessions', 'show', 'piped', '--store', own, '--json'])).stdout)
    // Not toEqual: a difference of 50,000 characters would be printed.
    expect(messages.map(({ content }: { content: string }) => content === said)).toEqual([true])
  })

  test.each([
    ['a pipe that ends at once', 'cat | '],
    ['a stdin that is closed', '0<&- '],
  ])('%s has no text: it is refused, and nothing is waited for', async (_name, from) => {
    const { code, stdout, stderr } = await piped(['append', 'empty', '--store', own], [], from)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^varve: message 0: content is empty\. .*\nNext: varve append --help\n$/)
  })

  test('a bad line stores nothing of them, and is named by its number', async () => {
    const { code, stdout, stderr } = await varve(in_('append', 'bad', '--jsonl'), {
      input: '{"role":"user","content":"fine"}\n\n{"role":"bot","content":"no"}',
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^varve: line 3: role must be .*\nNext: varve append --help\n$/)
    const elsewhere = await varve(in_('append', 'bad', '--jsonl'), {
      input: '{"role":"user","content":"fine","session":"bad"}\n{"role":"user","content":"no","session":"tuesday"}',
    })
    expect(elsewhere).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('line 2: is of session "tuesday", not "bad"') })
    expect((await varve(in_('sessions', 'show', 'bad'))).code).toBe(1)
  })

  test('Ctrl-C stops an import between two messages, and the next one stores exactly the rest', async () => {
    const cwd = emptyFolder()
    const count = 30_000
    const lines = Array.from({ length: count }, (_, place) =>
      JSON.stringify({ session: `talk ${place % 30}`, id: `m${place}`, role: 'user', content: `Line ${place} of the lock keeper's book.` }),
    )
    writeFileSync(join(cwd, 'book.jsonl'), lines.join('\n'))
    const stopped = await varve(['import', 'book.jsonl'], { cwd, interrupt: grown(join(cwd, 'varve.db-wal'), 500_000) })
    expect(stopped).toMatchObject({ code: 130, stdout: '' })
    expect(stopped.stderr).toMatch(
      /stopped\. Stored messages stay; a second import adds only the rest\.\nNext: varve import book\.jsonl\n$/,
    )
    const again = await varve(['import', 'book.jsonl', '--json'], { cwd })
    const report: { stored: number; duplicates: number } = JSON.parse(again.stdout)
    expect(report.stored + report.duplicates).toBe(count)
    expect(report.duplicates).toBeGreaterThan(0)
    expect(report.stored).toBeGreaterThan(0)
    const { sessions }: { sessions: { messages: number }[] } = JSON.parse((await varve(['sessions', '--json'], { cwd })).stdout)
    expect(sessions.map(({ messages }) => messages)).toEqual(Array.from({ length: 30 }, () => count / 30))
  })

  test('another user sees nothing of it', async () => {
    expect((await varve(['sessions', '--store', own, '--project', 'kiosk', '--user', 'bob'])).stdout).toBe('')
  })

  test('rename, then forget: what would go is shown first, and goes with --yes', async () => {
    expect((await varve(in_('sessions', 'rename', 's', 'The opening'))).stdout).toContain('"The opening"')
    const shown = await varve(in_('sessions', 'delete', 's'))
    expect(shown).toEqual({
      code: 0,
      stdout: 'Would be forgotten: 3 messages, 1 session, 1 context.\n',
      stderr: `Nothing was done yet. It cannot be undone.\nNext: varve sessions delete s --store ${own} --project kiosk --user ada --yes\n`,
    })
    const preview = await varve(in_('forget', '--before', '2026-05-05', '--json'))
    expect(JSON.parse(preview.stdout)).toMatchObject({ done: false, counts: { message: 1 } })
    expect(JSON.parse((await varve(in_('sessions', '--json'))).stdout).sessions[0].messages).toBe(3)
    const done = await varve(in_('forget', '--all', '--yes', '--json'))
    expect(done.code).toBe(0)
    expect(JSON.parse(done.stdout)).toMatchObject({ done: true, counts: { message: 3 }, logical: 'done', physical: 'done' })
    expect((await varve(in_('sessions'))).stdout).toBe('')
  })
})

describe('what goes wrong', () => {
  const wrong: readonly (readonly [string, readonly string[], number, string, string])[] = [
    ['no command', [], 2, 'no command was given.', 'varve --help'],
    ['an unknown command', ['recal', 'x'], 2, "unknown command 'recal': did you mean recall?", 'varve --help'],
    ['an unknown flag', ['recall', 'x', '--bogus'], 2, "unknown option '--bogus'", 'varve recall --help'],
    ['a text beside lines', ['append', 's', 'hi', '--jsonl'], 2, '--jsonl reads the messages from stdin', 'varve append --help'],
    [
      'a role beside lines',
      ['append', 's', '--jsonl', '--role', 'assistant'],
      2,
      "cannot be used with option '--role <role>'",
      'varve append --help',
    ],
    ['a time that is none', ['forget', '--before', 'yesterday'], 2, 'It must be ISO 8601 with its offset', 'varve forget --help'],
    ['a number that is none', ['recall', 'x', '--limit', 'many'], 2, 'It must be a number.', 'varve recall --help'],
    [
      'a number out of range',
      ['recall', 'x', '--limit', '0', '--store', store],
      2,
      'limit must be a whole number from 1 to 1000',
      'varve recall --help',
    ],
    ['a blank user', ['append', 's', 'x', '--user', ' '], 2, 'user must not be blank', 'varve append --help'],
    ['a store that ends with the command', ['append', 's', 'x', '--store', 'memory:'], 2, 'memory:', 'varve doctor --store ./varve.db'],
    ['nothing to forget', ['forget', '--store', store], 2, 'say what to forget', 'varve forget --help'],
    [
      'a session that is not there',
      ['sessions', 'show', 'nope', '--store', store, '--user', "o'neil"],
      1,
      'no session "nope" here.',
      String.raw`varve sessions --store ${store} --user 'o'\''neil'`,
    ],
    ['a file that is not there', ['import', 'nope.jsonl'], 1, 'nope.jsonl cannot be imported', 'varve import --help'],
    ['a store that is none', ['recall', 'x', '--store', file], 1, 'is not a Varve store', 'varve recall --help'],
  ]

  test.each(wrong)('%s: a message and the next command, and no data', async (_name, args, code, message, next) => {
    const cwd = emptyFolder()
    const [text, json] = await Promise.all([varve(args, { cwd }), varve([...args, '--json'], { cwd })])
    expect(text).toMatchObject({ code, stdout: '' })
    expect(text.stderr).toContain(message)
    expect(text.stderr.trimEnd().split('\n').at(-1)).toBe(`Next: ${next}`)
    expect(json).toMatchObject({ code, stdout: '' })
    const { error } = JSON.parse(json.stderr)
    expect(error).toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringContaining(message), next })
    expect(readdirSync(cwd)).toEqual([])
  })

  test.each(['recall x', 'context x', 'sessions', 'sessions show x', 'sessions delete x --yes', 'forget --all --yes', 'doctor'])(
    '%s does not make a store that is not there',
    async (line) => {
      const cwd = emptyFolder()
      const { code, stdout, stderr } = await varve(line.split(' '), { cwd })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(
        `varve: there is no store at ${join(cwd, 'varve.db')}, and none was made.\nNext: varve import conversations.json\n`,
      )
      expect(readdirSync(cwd)).toEqual([])
    },
  )

  test('words that a reader keeps in the file are told by forget, and make doctor fail until they are gone', async () => {
    const pinned = join(home, 'pinned.db')
    await varve(['append', 's', 'the alarm code is 4711', '--store', pinned])
    const reader = new DatabaseSync(pinned, { readOnly: true })
    reader.exec('BEGIN; SELECT count(*) FROM message')
    const forgotten = await varve(['forget', '--session', 's', '--yes', '--store', pinned], { alone: true })
    expect(forgotten).toMatchObject({ code: 0, stdout: expect.stringContaining('still in the files') })
    const sick = await varve(['doctor', '--store', pinned], { alone: true })
    expect(sick).toMatchObject({ code: 1, stdout: expect.stringMatching(/FAIL {2}erasures .*\n +to do: /) })
    expect(JSON.parse((await varve(['doctor', '--store', pinned, '--json'], { alone: true })).stdout).ok).toBe(false)
    reader.close()
    await varve(['forget', '--before', '2000-01-01', '--yes', '--store', pinned])
    expect((await varve(['doctor', '--store', pinned])).code).toBe(0)
  })

  test('doctor fails on a file that is damaged', async () => {
    const damaged = join(home, 'damaged.db')
    writeFileSync(damaged, `SQLite format 3\0${'x'.repeat(5000)}`)
    const { code, stdout, stderr } = await varve(['doctor', '--store', damaged])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^varve: .*damaged\.db.*\nNext: \S+/)
  })
})

describe('the terminal', () => {
  test('the version needs nothing else; help is data', async () => {
    const { version } = JSON.parse(
      execFileSync(
        process.execPath,
        ['-p', `JSON.stringify(require(${JSON.stringify(join(import.meta.dirname, '../../packages/varve/package.json'))}))`],
        { encoding: 'utf8' },
      ),
    )
    expect(await varve(['--version'], { alone: true })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    expect(await varve(['-V', '--json'], { alone: true })).toEqual({ code: 0, stdout: `{"version":"${version}"}\n`, stderr: '' })
    const help = await varve(['recall', '--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('--half-life-days')
    for (const flag of ['--store', '--user', '--json']) expect(help.stdout).toContain(flag)
    const ofBlock = await varve(['blocks', 'set', '--help'])
    expect(ofBlock.stdout).toContain('--shared')
    expect(ofBlock.stdout).not.toContain('--limit')
  })

  test('a reader that has seen enough is no failure', async () => {
    const long = join(home, 'long.db')
    const lines = Array.from({ length: 3000 }, (_, index) =>
      JSON.stringify({ role: 'user', content: `${index} ${'soup '.repeat(20)}` }),
    ).join('\n')
    expect((await varve(['append', 's', '--jsonl', '--store', long], { input: lines })).code).toBe(0)
    const line = '"$0" "$1" sessions show s --limit 3000 --store "$2" | head -n 1; echo "${PIPESTATUS[0]}"'
    const seen = await new Promise<string>((resolve) => {
      execFile('bash', ['-c', line, process.execPath, main, long], { env: environment() }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
    expect(seen).toMatch(/^#1 {2}.*\n0\n$/)
  })

  test('nor is one who listens to no error', async () => {
    const line =
      '"$0" "$1" context key --store "$2" 2>&1 >/dev/null | head -n 1; echo "${PIPESTATUS[0]}"; "$0" "$1" bogus 2>&1 | true; ' +
      'echo "${PIPESTATUS[0]}"'
    const seen = await new Promise<string>((resolve) => {
      execFile('bash', ['-c', line, process.execPath, main, store], { env: environment() }, (_error, stdout) => resolve(stdout))
    })
    expect(seen).toMatch(/ tokens, .*\n0\n2\n$/)
  })

  test.skipIf(!existsSync('/dev/full'))('output that cannot be written is a failure that is told', async () => {
    const line = '"$0" "$1" recall key --store "$2" > /dev/full; echo "$?"'
    const told = await new Promise<string>((resolve) => {
      execFile('bash', ['-c', line, process.execPath, main, store], { env: environment() }, (_error, stdout, stderr) =>
        resolve(stderr + stdout),
      )
    })
    expect(told).toMatch(/^(?:confidence .*\n)?varve: stdout cannot be written \(.*\nNext: varve recall key .*\n1\n$/)
  })

  test('no colour in a pipe', async () => {
    expect((await varve(['recall', 'key', '--store', store])).stdout).not.toContain(escape)
    expect((await varve(['recall', 'key', '--bogus'])).stderr).not.toContain(escape)
  })

  test.skipIf(!existsSync('/usr/bin/script'))('colour on a terminal (script), and none with NO_COLOR', () => {
    const onTerminal = (env: Record<string, string>): string =>
      execFileSync('/usr/bin/script', ['-qec', `'${process.execPath}' '${main}' recall key --store '${store}'`, '/dev/null'], {
        env: environment(env),
        encoding: 'utf8',
      })
    expect(onTerminal({})).toContain(escape)
    expect(onTerminal({ NO_COLOR: '1' })).not.toContain(escape)
  })

  test('stored text cannot command the terminal', async () => {
    const hostile = join(home, 'hostile.db')
    await varve(['append', 's', `clear ${escape}2J the \u0007 screen`, '--store', hostile])
    const { stdout } = await varve(['recall', 'screen', '--store', hostile])
    expect(stdout).toContain('the [U+0007] screen')
    expect(stdout).not.toContain(escape)
    expect(JSON.parse((await varve(['recall', 'screen', '--store', hostile, '--json'])).stdout).hits[0].text).toBe(
      `clear ${escape}2J the \u0007 screen`,
    )
  })
})

/** Puts main.js of the package in a folder with only a manifest. It can run nothing but the code before its import. */
function bareMain(needed: string): string {
  const root = mkdtempSync(join(home, 'bare-'))
  const source = ts.sys.readFile(join(import.meta.dirname, '../../packages/varve/src/cli/main.ts')) ?? ''
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext, rewriteRelativeImportExtensions: true },
    fileName: 'main.mts',
  })
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', version: '1.2.3', engines: { node: needed } }))
  mkdirSync(join(root, 'dist/cli'), { recursive: true })
  writeFileSync(join(root, 'dist/cli/main.js'), outputText)
  return join(root, 'dist/cli/main.js')
}

describe('an old Node', () => {
  test('is told before anything else is loaded, with what was found and what is needed', () => {
    const { status, stdout, stderr } = runBare(process.execPath, ['recall', 'x'], '>=99.1.0')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`Varve 1.2.3 needs Node 99.1.0 or newer; this is Node ${process.versions.node}`)
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('Next: node --version')
    expect(JSON.parse(runBare(process.execPath, ['recall', 'x', '--json'], '>=99.1.0').stderr)).toMatchObject({
      error: { code: 'NODE_TOO_OLD' },
    })
    expect(runBare(process.execPath, ['--version'], `>=${process.versions.node}`)).toMatchObject({ status: 0, stdout: '1.2.3\n' })
  })

  const old = oldNode()
  test.skipIf(old === undefined)('understands the file that tells it (a Node before 22.22.2 on this machine)', () => {
    const { status, stderr } = runBare(old ?? '', ['doctor'], '>=22.22.2')
    expect(status).toBe(1)
    expect(stderr).toContain('needs Node 22.22.2 or newer; this is Node')
  })
})

function runBare(node: string, args: readonly string[], needed: string): { status: number; stdout: string; stderr: string } {
  try {
    const stdout = execFileSync(node, [bareMain(needed), ...args], { encoding: 'utf8', stdio: 'pipe', env: environment() })
    return { status: 0, stdout, stderr: '' }
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error && 'stdout' in error && 'stderr' in error)) throw error
    return { status: Number(error.status), stdout: String(error.stdout), stderr: String(error.stderr) }
  }
}

function oldNode(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/bin', '/usr/bin']
  const nodes = [...new Set(folders.map((folder) => join(folder, 'node')))].filter((path) => existsSync(path))
  return nodes.find((path) => {
    const [major = 0, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim().split('.').map(Number)
    return major < 22 || (major === 22 && minor < 22)
  })
}

import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('export')
const store = join(home, 'said.db')
const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }

function varve(args: readonly string[], columns?: number): Promise<Outcome> {
  return typedHere(args, { env, cwd: home, ...(columns === undefined ? {} : { columns }) })
}

beforeAll(async () => {
  await using memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false })
  await memory.for('ada').append('talk', { role: 'user', content: 'The kiosk opens on the 16th.' })
  await memory.project('default').blocks.set('rules', 'be kind')
})

afterAll(() => rmSync(home, { recursive: true }))

interface Line {
  readonly kind?: string
  readonly content?: string
}

function linesOf(text: string): Line[] {
  const lines: Line[] = JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`)
  return lines
}

test('varve export writes lines to a pipe, of a user or of what a project shares', async () => {
  const { code, stdout } = await varve(['export', '--store', store, '--user', 'ada'])
  expect(code).toBe(0)
  expect(linesOf(stdout)[0]).toMatchObject({ kind: 'header', format: 'varve-export' })
  expect(linesOf(stdout).filter(({ kind }) => kind === 'message')).toMatchObject([{ content: 'The kiosk opens on the 16th.' }])
  const shared = await varve(['export', '--store', store, '--shared'])
  expect(shared.stdout).toContain('be kind')
  expect(shared.stdout).not.toContain('kiosk')
})

test('varve export --out writes a whole file that nobody else may read, and refuses a terminal', async () => {
  const { code, stderr } = await varve(['export', '--store', store, '--user', 'ada', '--out', 'ada.jsonl'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('written to ada.jsonl')])
  expect(stderr).toContain('Next: varve import ada.jsonl --store ./other.db --user ada\n')
  expect(statSync('ada.jsonl').mode & 0o777).toBe(0o600)
  expect(linesOf(readFileSync('ada.jsonl', 'utf8')).some(({ kind }) => kind === 'trailer')).toBe(true)
  expect(await varve(['export', '--store', store, '--user', 'ada'], 80)).toMatchObject({ code: 2, stdout: '' })
})

test('a varve export that fails leaves the file as it was, and nothing beside it', async () => {
  writeFileSync('kept.jsonl', 'before\n')
  const before = readdirSync('.')
  writeFileSync('broken.pem', 'no key')
  const { code } = await varve(['export', '--store', store, '--user', 'ada', '--out', 'kept.jsonl', '--signing-key', 'broken.pem'])
  expect(code).not.toBe(0)
  expect(readFileSync('kept.jsonl', 'utf8')).toBe('before\n')
  expect(readdirSync('.').filter((name) => name !== 'broken.pem')).toEqual(before)
  expect(existsSync('absent.db')).toBe(false)
  expect(await varve(['export', '--store', 'absent.db'])).toMatchObject({ code: 1 })
})

test('varve import takes an export of this store at once, and lets that of another wait until it is accepted', async () => {
  await varve(['export', '--store', store, '--user', 'ada', '--out', 'again.jsonl'])
  const own = await varve(['import', 'again.jsonl', '--store', store, '--user', 'ada'])
  expect(own).toMatchObject({ code: 0, stdout: expect.stringContaining('there already: 1 session, 1 message') })
  const waits = await varve(['import', 'again.jsonl', '--store', 'other.db', '--user', 'ada', '--json'])
  const { id, state }: { id: string; state: string } = JSON.parse(waits.stdout)
  expect(state).toBe('waiting')
  const told = await varve(['import', 'again.jsonl', '--store', 'other.db', '--user', 'bob'])
  expect([told.stdout, told.stderr]).toEqual([
    expect.stringContaining('wait: nothing of them is found'),
    expect.stringContaining('imports show'),
  ])
  expect((await varve(['recall', 'kiosk', '--store', 'other.db', '--user', 'ada'])).stdout).not.toContain('16th')
  expect((await varve(['imports', '--store', 'other.db', '--user', 'ada'])).stdout).toContain(id)
  expect((await varve(['imports', 'show', id, '--store', 'other.db', '--user', 'ada'])).stdout).toContain('The kiosk opens on the 16th.')
  expect(await varve(['imports', 'show', id, '--store', 'other.db', '--user', 'bob'])).toMatchObject({ code: 1 })
  expect((await varve(['imports', 'accept', id, '--store', 'other.db', '--user', 'ada'])).stdout).toContain(
    'Accepted: 1 owner, 1 session, 1 message',
  )
  expect((await varve(['recall', 'kiosk', '--store', 'other.db', '--user', 'ada'])).stdout).toContain('16th')
  const ofBob = JSON.parse((await varve(['imports', '--store', 'other.db', '--user', 'bob', '--json'])).stdout)
  const other: string = ofBob.imports[0].id
  expect((await varve(['imports', '--store', 'other.db', '--user', 'bob'])).stdout).toContain('waits to be accepted')
  expect((await varve(['imports', 'discard', other, '--store', 'other.db', '--user', 'bob'])).stdout).toMatch(
    /^Discarded: 1 import\.\nWhat was applied of it stays; the lines that waited are gone[^]*Receipt [0-9a-f-]{36}/,
  )
  const accepted = await varve(['import', 'again.jsonl', '--store', 'third.db', '--accept'])
  expect(accepted.stdout).toContain('stored: 1 owner, 1 session, 1 message')
  expect((await varve(['imports', '--store', 'third.db'])).stderr).toContain('No import waits here.')
})

test('varve import names the changed line of an export, and stores nothing of it', async () => {
  await varve(['export', '--store', store, '--user', 'ada', '--out', 'changed.jsonl'])
  const lines = readFileSync('changed.jsonl', 'utf8').split('\n')
  writeFileSync('changed.jsonl', lines.map((line) => line.replace('16th', '17th')).join('\n'))
  const { code, stderr } = await varve(['import', 'changed.jsonl', '--store', 'fourth.db', '--accept'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/line \d+ of the export cannot be taken: it was changed/)])
  expect((await varve(['sessions', '--store', 'fourth.db', '--json'])).stdout).toContain('[]')
  expect(await varve(['import', 'changed.jsonl', '--store', 'fourth.db', '--accept-changed'])).toMatchObject({ code: 0 })
  expect(await varve(['import', 'changed.jsonl', '--store', 'fourth.db', '--dry-run'])).toMatchObject({ code: 2 })
})

test('an export that an editor changed at its beginning is not taken for plain messages', async () => {
  await varve(['export', '--store', store, '--user', 'ada', '--out', 'whole.jsonl'])
  const whole = readFileSync('whole.jsonl', 'utf8')
  for (const before of ['\uFEFF', '\n', '\uFEFF\r\n  ']) {
    writeFileSync('edited.jsonl', before + whole)
    const { code, stderr } = await varve(['import', 'edited.jsonl', '--store', 'edited.db'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/line 1 of the export cannot be taken/)])
  }
  writeFileSync('edited.jsonl', whole.slice(whole.indexOf('\n') + 1))
  const { code, stdout } = await varve(['import', 'edited.jsonl', '--store', 'edited.db'])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/0 stored[^]*[1-9]\d* lines? of a Varve export/)])
})

test('varve export --markdown writes a folder to be read, and refuses what does not go with it', async () => {
  const told = await varve(['export', '--store', store, '--user', 'ada', '--markdown', 'read', '--json'])
  expect([told.code, JSON.parse(told.stdout)]).toMatchObject([0, { folder: 'read', counts: { session: 1, message: 1 } }])
  expect(statSync('read').mode & 0o777).toBe(0o700)
  const [session = ''] = readdirSync(join('read', 'sessions'))
  expect(readFileSync(join('read', 'sessions', session), 'utf8')).toContain('The kiosk opens on the 16th.')
  expect(readFileSync(join('read', 'blocks.md'), 'utf8')).not.toContain('be kind')
  const again = await varve(['export', '--store', store, '--user', 'ada', '--markdown', 'read'])
  expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/written to read\.\nNext: open read\/index\.md/)])
  for (const flags of [['--out', 'x.jsonl'], ['--shared'], ['--signing-key', 'x.pem']])
    expect(await varve(['export', '--store', store, '--markdown', 'read', ...flags])).toMatchObject({ code: 2, stdout: '' })
  writeFileSync('letter.txt', 'dear')
  expect((await varve(['export', '--store', store, '--user', 'ada', '--markdown', '.'])).code).not.toBe(0)
  expect(readFileSync('letter.txt', 'utf8')).toBe('dear')
})

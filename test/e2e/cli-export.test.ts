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

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { blocksIn, disagreement, linesPromised } from '../fixtures/guides/printed.ts'

const path = (from: string): string => fileURLToPath(new URL(from, import.meta.url))
const page = readFileSync(path('../../docs/guides/server.md'), 'utf8')
const main = builtProgram('packages/varve/src/cli/main.ts')
const client = path('../../packages/varve/src/client/index.ts')
const own: Readonly<Record<string, string>> = {
  varve: path('../../packages/varve/src/index.ts'),
  'varve/client': client,
  'varve/server': path('../../packages/varve/src/server/index.ts'),
}

/** Writes the sources in the place of the package. */
const fromSources = (code: string): string => code.replaceAll(/(?<=from )'(varve[\w/]*)'/g, (_, name: string) => `'${own[name] ?? name}'`)

const home = mkdtempSync(join(tmpdir(), 'varve-guide-'))

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0
const [keys = '', ...steps] = blocksIn(page, 'sh')
const [start = ''] = blocksIn(page, 'console')

/** The programs of the page: the blocks of a language, one after the other. */
const programs = {
  sh: { code: steps.join('\n'), command: 'bash', file: 'guide.sh', runs: has('bash') && has('curl') },
  ts: { code: blocksIn(page, 'ts').join('\n'), command: process.execPath, file: 'guide.ts', runs: existsSync(client) },
  python: { code: blocksIn(page, 'python').join('\n'), command: 'python3', file: 'guide.py', runs: has('python3') },
}

let server: ChildProcess | undefined
let banner = ''
let warned = ''
const env: Record<string, string | undefined> = { PATH: process.env['PATH'], HOME: home, VARVE_EMBEDDINGS: 'off', NO_COLOR: '1' }

beforeAll(async () => {
  const [, ...words] = /^\$ (.+)$/m.exec(start)?.[1]?.split(' ') ?? []
  server = spawn(process.execPath, [main, ...words, '--port', '0'], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  server.stderr?.on('data', (piece) => (warned += String(piece)))
  for await (const piece of server.stdout ?? []) if ((banner += String(piece)).includes('To try it')) break
  const [, url] = /at +(http:\S+)/.exec(banner) ?? []
  const varve = `varve() { '${process.execPath}' '${main}' "$@" 2>> notes.txt; }\n`
  const made = spawnSync('bash', ['-ec', `${varve}${keys.replace('http://127.0.0.1:8737', url ?? '')}env`], { cwd: home, env })
  for (const [, name = '', value] of String(made.stdout).matchAll(/^(VARVE_\w+)=(.*)$/gm)) env[name] = value
}, 60_000)

afterAll(async () => {
  server?.kill('SIGTERM')
  if (server?.exitCode === null) await once(server, 'exit')
  rmSync(home, { recursive: true, force: true })
})

test('varve serve says what the page says, and the keys of the page are made', () => {
  const [, ...promised] = start.trimEnd().split('\n')
  const port = /:(\d+) /.exec(banner)?.[1] ?? ''
  const said = banner.split('\n').slice(0, promised.length).join('\n')
  expect({ differs: disagreement(said.replaceAll(port, '8737'), promised), warned }).toEqual({ differs: undefined, warned: '' })
  expect(Object.keys(env).filter((name) => /^VARVE_.*KEY$/.test(name) && env[name]?.startsWith('varve_'))).toHaveLength(3)
})

for (const [language, { code, command, file, runs }] of Object.entries(programs))
  test.skipIf(!runs)(`the code in ${language} prints what the page says`, { timeout: 60_000 }, () => {
    // Each language has a user of its own: one's messages are not the other's.
    const one = code.replaceAll(/(?<=users\/|Varve-User: |')ada\b/g, `ada-${language}`)
    writeFileSync(join(home, file), fromSources(one))
    const { stdout, stderr, status } = spawnSync(command, [file], { cwd: home, env, encoding: 'utf8', timeout: 60_000 })
    const promised = linesPromised(one)
    expect(promised.length).toBeGreaterThan(12)
    expect({ differs: disagreement(stdout, promised), stderr, status }).toEqual({ differs: undefined, stderr: '', status: 0 })
  })

test('a program that serves its own memory prints what its page says', { timeout: 60_000 }, () => {
  const [code = ''] = blocksIn(readFileSync(path('../../docs/operate/server.md'), 'utf8'), 'ts')
  writeFileSync(join(home, 'serving.ts'), fromSources(code))
  const { stdout, stderr } = spawnSync(process.execPath, ['serving.ts'], { cwd: home, env, encoding: 'utf8', timeout: 60_000 })
  expect({ differs: disagreement(stdout, linesPromised(code)), stderr }).toEqual({ differs: undefined, stderr: '' })
})

test.skipIf(!programs.sh.runs)('the lines of the README store a message and give it in a context', () => {
  const readme = readFileSync(path('../../README.md'), 'utf8')
  const [, lines = ''] = /^```\nnpx varve serve.*\n([\s\S]*?)^```$/m.exec(readme) ?? []
  const { stdout, status } = spawnSync('bash', ['-ec', lines.replaceAll('curl ', 'curl -sS ')], {
    ...{ cwd: home, encoding: 'utf8' },
    env: { ...env, URL: env['VARVE_URL'], KEY: env['VARVE_KEY'] },
  })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^\{"messages":\[.*\}\{"id":.*user: The ferry leaves at nine\./)
})

test('each step of the page is there in all three languages', () => {
  const sections = page.split(/^## /m).map((text) => ['sh', 'ts', 'python'].map((language) => blocksIn(text, language).length))
  const told = sections.filter((counts) => counts.some((count) => count > 0)).slice(1)
  expect(told.length).toBeGreaterThan(10)
  for (const [sh, ts, python] of told) expect([ts, python]).toEqual([sh, sh])
})

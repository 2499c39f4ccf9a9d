import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const child = join(import.meta.dirname, 'kept-script-child.ts')
let folder = ''
let script = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varve-kept-'))
  script = join(folder, 'hook.cjs')
  write('one')
  // Loaded as a module: it must get the script that ran, not a second one.
  writeFileSync(join(folder, 'start.cjs'), "exports.answer = (kind) => require('./hook.cjs').answer(kind)")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A script with a function for each kind of run, of which a run compiles its own. */
function write(name: string): void {
  const says = `says ${name} to \${kind}`
  const kinds = "const kinds = { Prompt: () => 'a prompt', Start: () => 'a start' }"
  writeFileSync(
    script,
    `${kinds}\nlet runs = 0\nexports.answer = (k) => { const kind = kinds[k](); return \`${says}, \${++runs}\` }\nexports.runs = ++runs`,
  )
}

function run(kind: string, cache = join(folder, 'cache'), ends = 'done'): string {
  const env = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: cache }
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, script, kind, ends], { env, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

const kept = (): string[] => globSync('cache/*/hook.cjs-*', { cwd: folder }).toSorted()

test('a script answers as it would without kept code, and its code is written once for each kind of run', () => {
  expect(run('Prompt')).toBe('says one to a prompt, 2')
  const [code = '', mark = '', ...others] = kept()
  expect([mark, ...others]).toEqual([`${code}-Prompt`])
  const first = statSync(join(folder, code)).ino
  expect(run('Prompt')).toBe('says one to a prompt, 2')
  expect(statSync(join(folder, code)).ino).toBe(first)
  const bytes = readFileSync(join(folder, code)).length
  expect(run('Start')).toBe('says one to a start, 2')
  expect(kept()).toEqual([code, `${code}-Prompt`, `${code}-Start`])
  // The code of both kinds.
  expect(readFileSync(join(folder, code)).length).toBeGreaterThan(bytes)
})

test('a run that has nothing to do keeps nothing, and the first one that does work is kept', () => {
  expect(run('Prompt', undefined, 'nothing to do')).toBe('')
  expect(kept()).toEqual([])
  run('Prompt')
  expect(kept()).toHaveLength(2)
})

test('a run that is ended too early is kept, once an hour, and the first one that is done', () => {
  run('Prompt', undefined, 'too early')
  const [code = '', ...marks] = kept()
  expect(marks).toEqual([])
  const file = (): number => statSync(join(folder, code)).ino
  const first = file()
  run('Prompt', undefined, 'too early')
  expect(file()).toBe(first)
  utimesSync(join(folder, code), new Date(), new Date(Date.now() - 2 * 3_600_000))
  run('Prompt', undefined, 'too early')
  const second = file()
  expect(second).not.toBe(first)
  run('Prompt')
  expect(kept()).toEqual([code, `${code}-Prompt`])
  expect(file()).not.toBe(second)
})

test('code that is a day old is written again', () => {
  run('Prompt')
  const [code = '', mark = ''] = kept()
  const first = statSync(join(folder, code)).ino
  const aged = (hours: number): void => utimesSync(join(folder, mark), new Date(), new Date(Date.now() - hours * 3_600_000))
  aged(23)
  run('Prompt')
  expect(statSync(join(folder, code)).ino).toBe(first)
  aged(25)
  run('Prompt')
  expect(statSync(join(folder, code)).ino).not.toBe(first)
  expect(Date.now() - statSync(join(folder, mark)).mtimeMs).toBeLessThan(3_600_000)
})

test('another build has code of its own', () => {
  run('Prompt')
  write('another one')
  expect(run('Prompt')).toBe('says another one to a prompt, 2')
  expect(kept()).toHaveLength(4)
})

test.each([0, 7, 400])('code that was cut off after %i bytes is written anew', (bytes) => {
  run('Prompt')
  const path = join(folder, kept()[0] ?? '')
  const whole = statSync(path).size
  truncateSync(path, bytes)
  expect(run('Prompt')).toBe('says one to a prompt, 2')
  expect(statSync(path).size).toBe(whole)
})

test.runIf(process.getuid?.() === 0)("another user's code is not run, and is written anew", () => {
  run('Prompt')
  const path = join(folder, kept()[0] ?? '')
  chownSync(path, 12_345, 12_345)
  expect(run('Prompt')).toBe('says one to a prompt, 2')
  expect(statSync(path).uid).toBe(0)
})

test('a script runs where no code can be written', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  chmodSync(file, 0o400)
  expect(run('Prompt', join(file, 'cache'))).toBe('says one to a prompt, 2')
})

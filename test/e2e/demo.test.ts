import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { newHome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('demo')
const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }

afterAll(() => {
  process.chdir('/')
  rmSync(home, { recursive: true })
})

/** Splits a line as a shell does: words, and words in quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
}

test('each command that the demo ends with works on its store, and the last but one serves it', async () => {
  const start = join(import.meta.dirname, '../../packages/varve/src/cli/start.ts')
  const told = execFileSync(process.execPath, [start], { env, cwd: home, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  const lines = told.slice(told.indexOf('\nType next\n')).match(/(?<=npm run -s varve -- ).*/g) ?? []
  expect(lines.at(-2)).toBe('serve --store ./varve-demo.db')
  for (const line of lines) {
    if (line.startsWith('serve ')) continue
    expect(await typedHere(wordsOf(line), { env, cwd: home, columns: 100 }), line).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\S/),
    })
  }
  const main = builtProgram('packages/varve/src/cli/main.ts')
  const server = spawn(process.execPath, [main, ...wordsOf(lines.at(-2) ?? ''), '--port', '0'], { env, cwd: home })
  onTestFinished(() => void server.kill('SIGKILL'))
  const ended = once(server, 'exit')
  const banner: string[] = []
  for await (const line of createInterface(server.stdout)) if (banner.push(line) === 2) break
  expect(banner.join('\n')).toMatch(/^Varve serves .*varve-demo\.db\n +at +http:\/\/127\.0\.0\.1:\d+/)
  server.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}, 120_000)

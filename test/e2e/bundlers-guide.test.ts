import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inlinedBuilds, shownBuilds } from '../../scripts/builds.ts'
import { PackageFileMissing } from '../../packages/varve/src/errors/package-file-missing.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/guides/bundlers.md'), 'utf8')
const fixtures = join(root, 'test/fixtures/builds')

test('the guide shows the commands and the files that are built and run, word for word', () => {
  for (const { name, folder, steps, run, shown = [] } of shownBuilds) {
    expect(guide, name).toContain(name.split(',')[0])
    for (const file of shown) expect(guide).toContain(`// ${file}\n${readFileSync(join(fixtures, folder, file), 'utf8')}`)
    for (const command of [...steps, run]) if (!command.startsWith('node ') && shown.length === 0) expect(guide).toContain(command)
  }
})

test('the error of a missing file names the lines of the guide', () => {
  const { message } = new PackageFileMissing({ file: 'model/minilm.onnx', expected: '/app' })
  const lines = [...guide.matchAll(/^\| (?:Next\.js|esbuild|Vite|webpack) \| (.*) \|$/gm)].flatMap(([, line = '']) => line.split('`, `'))
  expect(lines.length).toBe(5)
  for (const line of lines) expect(message).toContain(line.replaceAll('`', ''))
})

test('the tools of the fixtures are pinned, and the lock names no place to fetch them from', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(fixtures, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    devDependencies: Object.fromEntries(
      ['deno', 'esbuild', 'next', 'react', 'react-dom', 'tsx', 'vite', 'webpack'].map((tool) => [
        tool,
        expect.stringMatching(/^\d+\.\d+\.\d+$/),
      ]),
    ),
  })
  expect(readFileSync(join(fixtures, 'package-lock.json'), 'utf8')).not.toContain('"resolved"')
})

test('every thread is started as bundlers can read it: a literal address, and each option by its name', () => {
  const sources = join(root, 'packages/varve/src')
  const started = globSync('**/*.ts', { cwd: sources, exclude: ['**/*.test.ts'] }).flatMap((path) => {
    const text = readFileSync(join(sources, path), 'utf8')
    return [...text.matchAll(/(?:[?=] )(new Worker\((?!elsewhere)[^\n]*)/g)].map(([, call]) => call)
  })
  expect(started.length).toBe(5)
  for (const call of started) expect(call).toMatch(/^new Worker\(new URL\('\.\/[\w-]+\.ts', import\.meta\.url\), \{ [\w ,:]+ \}\)$/)
})

test('every build of the fixtures is on the list', () => {
  const folders = new Set([...shownBuilds, ...inlinedBuilds].map(({ folder }) => folder))
  const found = globSync('*/', { cwd: fixtures }).map((folder) => folder.replace(/\/$/, ''))
  expect(found.filter((folder) => folder !== 'node_modules' && !folders.has(folder))).toEqual([])
})

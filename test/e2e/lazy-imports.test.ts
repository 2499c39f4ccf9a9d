import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lazyImportsOf } from '../../scripts/lazy-imports.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varve-lazy-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A module that names others in every way that the built code does. `loaded` tells the order in which they were loaded. */
const modules = {
  'late.js': `globalThis.loaded.push('late')
    export default 'default'
    export const value = 'value', $other = 'other'
    export class Thing { name = 'thing' }
    export function twice(text) { return text + text }`,
  'whole.js': `globalThis.loaded.push('whole')
    export const one = 1`,
  'early.js': `globalThis.loaded.push('early')
    export const base = 'base'
    export class Base {}`,
  'field.js': `globalThis.loaded.push('field')
    export const start = 'start'`,
  'passed.js': `globalThis.loaded.push('passed')
    export const passed = 'passed'`,
  'main.js': `import byDefault, { value, $other as renamed, Thing, twice } from './late.js'
    import * as whole from './whole.js'
    import { base, Base } from './early.js'
    import { start } from './field.js'
    import { passed } from './passed.js'
    export { passed }
    const atLoad = base
    class Made extends Base { field = start }
    export function answer() {
      const shadowed = ((value) => value)('own')
      const { value: taken } = { value: 'property' }
      return JSON.stringify([byDefault, { value, renamed, [value]: value }, new Thing().name, \`\${twice(value)}\`, typeof twice, whole.one,
        whole['one'], shadowed, taken, atLoad, new Made().field, (() => twice(renamed))()])
    }`,
}

interface Ran {
  /** What was loaded before the answer, and in all. */
  readonly before: readonly string[]
  readonly loaded: readonly string[]
  readonly answer: string
  readonly passed: string
}

function ran(name: string, code: (path: string, original: string) => string): Ran {
  const home = join(folder, name)
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  const required = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);\n"
  for (const [file, original] of Object.entries(modules)) writeFileSync(join(home, file), required + code(join(folder, file), original))
  const script =
    "globalThis.loaded = []; const { answer, passed } = await import('./main.js'); const before = [...loaded];" +
    'console.log(JSON.stringify({ before, answer: answer(), passed, loaded }))'
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: home, encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test('imports that functions alone use are loaded at the first use, and all else does as before', () => {
  for (const [file, code] of Object.entries(modules)) writeFileSync(join(folder, file), code)
  const lazy = lazyImportsOf(Object.keys(modules).map((file) => join(folder, file)))
  const { answer, passed, before } = ran('plain', (_, code) => code)
  expect(before).toEqual(['late', 'whole', 'early', 'field', 'passed'])
  const late = lazy(new Set())
  const early = ['early', 'field', 'passed']
  expect(ran('late', (path) => late.get(path) ?? '')).toEqual({ before: early, loaded: [...early, 'late', 'whole'], answer, passed })
  const needed = lazy(new Set([join(folder, 'late.js')]))
  const most = ['late', ...early]
  expect(ran('needed', (path) => needed.get(path) ?? '')).toEqual({ before: most, loaded: [...most, 'whole'], answer, passed })
})

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { PackageFileMissing } from '../errors/package-file-missing.ts'
import { foundElsewhere, requiredElsewhere } from './packaged-file.ts'

// `npm run check:builds` finds the files of an installed package in the place of those that a bundler left behind.

test('a file where the code expects it is found nowhere else', () => {
  expect(foundElsewhere(() => pathToFileURL(import.meta.filename), 'dist/packaged/packaged-file.test.js')).toBe(undefined)
})

test('a missing file is an error that names the file and the line of each tool that mends it', () => {
  const expected = join(import.meta.dirname, 'worker.js')
  const find = (): unknown => foundElsewhere(() => pathToFileURL(expected), 'dist/memory/stores/worker.js')
  expect(find).toThrow(PackageFileMissing)
  expect(find).toThrow(expected)
  expect(find).toThrow(expect.objectContaining({ code: 'PACKAGE_FILE_MISSING', file: 'dist/memory/stores/worker.js', isRetryable: false }))
  for (const line of [
    "serverExternalPackages: ['varve']",
    '--external:varve',
    "ssr: { external: ['varve'] }",
    "externals: { varve: 'import varve' }",
  ])
    expect(find).toThrow(line)
})

test('code that does not know its own address, as esbuild makes CommonJS, is told the same', () => {
  const address = (): URL => new URL('./worker.js', Reflect.get({}, 'url'))
  expect(() => foundElsewhere(address, 'dist/memory/stores/worker.js')).toThrow(PackageFileMissing)
  const error = new RangeError('of another kind')
  const broken = (): URL => {
    throw error
  }
  expect(() => foundElsewhere(broken, 'dist/memory/stores/worker.js')).toThrow(error)
})

test('a module that is not found is looked for in the installed package; another failure of it is its own', () => {
  const absent = Object.assign(new Error("Cannot find module 'stopwords-iso'"), { code: 'MODULE_NOT_FOUND' })
  expect(() => requiredElsewhere('stopwords-iso', absent)).toThrow(PackageFileMissing)
  const broken = new SyntaxError('Unexpected token')
  expect(() => requiredElsewhere('stopwords-iso', broken)).toThrow(broken)
})

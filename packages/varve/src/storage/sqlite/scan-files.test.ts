import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filesContain, fragmentsOf } from './scan-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'varve-scan-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const erased = bytes('the spare key hangs behind the barometer in the bait shop, on the nail')

function file(name: string, content: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('finds any stretch of an erased text that holds a fragment, wherever it lies', () => {
  for (const fragment of fragmentsOf([erased])) {
    const filler = Buffer.alloc(5000, 0x20)
    expect(filesContain([file('hit', Buffer.concat([filler, fragment, filler]))], fragmentsOf([erased]))).toBe(true)
  }
})

test('finds one that lies across two pieces of a large file', () => {
  const [fragment = new Uint8Array()] = fragmentsOf([erased])
  const large = Buffer.alloc(9 * 1024 * 1024, 0x2e)
  large.set(fragment, 4 * 1024 * 1024 - 10)
  expect(filesContain([file('large', large)], fragmentsOf([erased]))).toBe(true)
})

test('finds it at the very end, and not in what is alike', () => {
  const fragments = fragmentsOf([erased])
  expect(filesContain([file('end', Buffer.concat([Buffer.alloc(100), erased]))], fragments)).toBe(true)
  expect(filesContain([file('alike', Buffer.from('the spare keys hang behind a thermometer'))], fragments)).toBe(false)
  expect(filesContain([join(folder, 'absent')], fragments)).toBe(false)
})

test('texts too short to tell have no fragments', () => {
  expect(fragmentsOf([bytes('ok'), bytes('nein')])).toEqual([])
})

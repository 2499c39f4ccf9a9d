import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import { folderPlace, inMemory, type Machine, storePlace } from './places.ts'

const linux: Machine = { platform: 'linux', home: '/home/ada' }
const windows: Machine = { platform: 'win32', home: String.raw`C:\Users\ada` }

const memories = [
  'memory:',
  'MEMORY:',
  ':memory:',
  'sqlite::memory:',
  'SQLite::memory:',
  'sqlite://:memory:',
  'sqlite:///:memory:',
  'file::memory:',
]

const paths: readonly (readonly [string, string])[] = [
  ['./varve.db', './varve.db'],
  ['varve.db', 'varve.db'],
  ['./varve', './varve'],
  ['data/varve', 'data/varve'],
  ['../varve', '../varve'],
  ['.varve', '.varve'],
  ['/srv/varve.db', '/srv/varve.db'],
  ['/srv/with blank/varve', '/srv/with blank/varve'],
  ['./my:store.db', './my:store.db'],
  ['~/varve.db', '/home/ada/varve.db'],
  ['sqlite:varve', 'varve'],
  ['sqlite:./varve.db', './varve.db'],
  ['SQLITE:./varve.db', './varve.db'],
  ['sqlite:/srv/varve.db', '/srv/varve.db'],
  ['sqlite:///srv/varve.db', '/srv/varve.db'],
  ['sqlite:////srv/varve.db', '/srv/varve.db'],
  ['sqlite://./varve.db', './varve.db'],
  ['sqlite:~/varve.db', '/home/ada/varve.db'],
  ['file:varve.db', 'varve.db'],
  ['file:./varve.db', './varve.db'],
  ['file:/srv/varve.db', '/srv/varve.db'],
  ['FILE:///srv/a%20b.db', '/srv/a b.db'],
  ['file://localhost/srv/varve.db', '/srv/varve.db'],
]

/** What is refused, and what the refusal must say: what was received, or what to write. */
const refused: readonly (readonly [unknown, RegExp])[] = [
  ['memory', /memory; write memory:/],
  ['in-memory', /memory; write memory:/],
  ['inmemory', /memory; write memory:/],
  ['In Memory', /memory; write memory:/],
  [':memory', /memory; write memory:/],
  ['memory://', /memory; write memory:/],
  ['memory:users', /memory; write memory:/],
  ['sqlite:memory', /memory; write memory:/],
  ['sqlite://memory', /memory; write memory:/],
  ['file::memory:?cache=shared', /memory; write memory:/],
  ['file:users?mode=memory&cache=shared', /memory; write memory:/],
  ['chroma', /the word chroma, .* write \.\/chroma /],
  ['redis', /the word redis, .* write \.\/redis /],
  ['postgres', /the word postgres, /],
  ['varve', /the word varve, .* write \.\/varve /],
  ['null', /the word null, /],
  ['127.0.0.1', /names no file; write \.\/name /],
  ['redis://user:secret@localhost:6379/0', /begins with redis:, .*write a path such as/],
  ['rediss://localhost', /begins with rediss:/],
  ['mysql://localhost/varve', /begins with mysql:/],
  ['mongodb+srv://localhost', /begins with mongodb\+srv:/],
  ['libsql://varve.turso.io', /begins with libsql:/],
  ['libsql:./varve.db', /begins with libsql:/],
  ['sqlite3:./varve.db', /begins with sqlite3:/],
  ['jdbc:sqlite:./varve.db', /begins with jdbc:/],
  ['https://example.com/varve.db', /begins with https:/],
  ['localhost:6379', /begins with localhost:/],
  ['postgres://', /no address of a server; write postgres:\/\/user/],
  ['postgres://localhost:port/varve', /no address of a server/],
  ['postgres://localhost/varve?varve_schema=Public', /varve_schema must be a name of lower-case letters/],
  ['postgres://localhost/varve?varve_clock=mine', /varve_clock can only be caller/],
  ['postgres://localhost/varve?varve_connections=0', /varve_connections must be a whole number from 1 to 1000/],
  ['postgres://localhost/varve?varve_timeout_ms=soon', /varve_timeout_ms must be a whole number/],
  ['postgres://localhost/varve?varve_scheme=x', /a parameter that Varve does not know; known are varve_schema/],
  ['sqlite:', /sqlite: without a path; write/],
  ['sqlite://', /sqlite: without a path; write/],
  ['sqlite://varve.db', /a host after sqlite:\/\/; write sqlite:\.\/varve\.db/],
  ['sqlite:./varve.db?mode=ro', /parameters after a \?/],
  ['sqlite:redis://localhost', /second scheme/],
  ['file:', /file: without a path/],
  ['file://server/varve.db', /file:\/\/\/ and an absolute path/],
  ['file:///srv/a%2Fb.db', /file:\/\/\/ and an absolute path/],
  ['file:///srv/varve.db?cache=shared', /parameters after the path/],
  ['./data/', /names a folder; write the path of a file/],
  ['sqlite:./data/', /names a folder/],
  ['file:///srv/', /names a folder/],
  ['.', /names a folder/],
  ['..', /names a folder/],
  ['/', /names a folder/],
  ['./varve.db ', /begins or ends with a blank/],
  [' memory:', /begins or ends with a blank/],
  ['./varve.db\n', /control character/],
  ['./var\0ve.db', /control character/],
  ['~bob/varve.db', /another user; write its whole path/],
  [String.raw`C:\data\varve.db`, /a path of Windows on linux/],
  ['C:/data/varve.db', /a path of Windows on linux/],
  [String.raw`data\varve.db`, /a path of Windows on linux/],
  ['', /received an empty string; write/],
  ['  ', /received a blank string/],
  [7, /received 7; write/],
  [null, /received null; write/],
]

describe('a store', () => {
  test.each(memories)('%s is memory', (given) => {
    expect(storePlace(given, 'store', linux)).toBe(inMemory)
  })

  test.each(paths)('%s is the file %s', (given, path) => {
    expect(storePlace(given, 'store', linux)).toBe(resolve(path))
  })

  test.each(refused)('%j is refused', (given, says) => {
    const open = () => storePlace(given, 'VARVE_STORE', linux)
    expect(open).toThrow(InvalidConfiguration)
    expect(open).toThrow(says)
    expect(open).toThrow(/^VARVE_STORE: (?!.*secret)/)
  })

  test('a drive letter and a backslash make a path on Windows', () => {
    for (const path of [String.raw`C:\data\varve.db`, 'c:/data/varve', String.raw`data\varve`, String.raw`\\server\share\varve`])
      expect(storePlace(path, 'store', windows)).toBe(resolve(path))
    expect(() => storePlace('data\\', 'store', windows)).toThrow(/names a folder/)
    expect(() => storePlace('varve', 'store', windows)).toThrow(/the word varve/)
  })

  test('~ is the home folder of the process', () => {
    expect(storePlace('~/varve.db', 'store')).toBe(join(homedir(), 'varve.db'))
  })
})

describe('a folder', () => {
  test.each([
    ['./notes', './notes'],
    ['data/notes', 'data/notes'],
    ['/srv/notes/', '/srv/notes'],
    ['~/notes', '/home/ada/notes'],
    ['.', '.'],
  ])('%s is the folder %s', (given, path) => {
    expect(folderPlace(given, 'notesDirectory', linux)).toBe(resolve(path))
  })

  test.each([
    ['notes', /the word notes, which names no folder; write \.\/notes /],
    ['true', /the word true, /],
    ['notes.d', /names no folder/],
    ['s3://bucket/notes', /begins with s3:/],
    ['file:///srv/notes', /begins with file:; write the path of a folder/],
    ['./notes ', /ends with a blank/],
    ['~bob/notes', /another user/],
    [String.raw`D:\notes`, /a path of Windows/],
    ['', /received an empty string; write the path of a folder/],
  ])('%j is refused', (given, says) => {
    expect(() => folderPlace(given, 'notesDirectory', linux)).toThrow(says)
  })
})

test.each(['postgres://ada:secret@db.example:5432/varve', 'POSTGRESQL://localhost/varve', 'postgres:///varve?host=/run/postgresql'])(
  '%s stays as it is',
  (address) => {
    expect(storePlace(address, 'store')).toBe(address)
  },
)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { deadRanges } from './dead-ranges.ts'
import { fileContains, leastRun } from './scan-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'varve-scan-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const erased = 'the spare key hangs behind the barometer in the bait shop, on the nail'
const pageSize = 4096

/** Makes a database with a living row of the same words, and writes into the gaps of its pages. */
function database(name: string, plant: (file: Buffer) => void): string {
  const connection = new Database(':memory:')
  connection.exec('CREATE TABLE t (a TEXT)')
  const insert = connection.prepare('INSERT INTO t VALUES (?)')
  for (let row = 0; row < 30; row += 1) insert.run(row === 7 ? erased : `a living row, number ${row}`)
  const file = connection.serialize()
  connection.close()
  plant(file)
  const path = join(folder, name)
  writeFileSync(path, file)
  return path
}

const plantAt =
  (text: string, into: (gap: readonly [number, number]) => number) =>
  (file: Buffer): void => {
    const [gap] = deadRanges(file.subarray(pageSize, 2 * pageSize), false)
    file.write(text, pageSize + into(gap ?? [0, 0]))
  }

describe('a copy of erased words on a page', () => {
  test('that is a living row is none', () => {
    expect(
      fileContains(
        database('living.db', () => undefined),
        [bytes(erased)],
      ),
    ).toBe(false)
  })

  test.each(Array.from({ length: erased.length - leastRun }, (_, from) => from))(
    'is found when only the run from %i on is left',
    (from) => {
      const remnant = erased.slice(from, from + leastRun)
      for (const into of [([start]: readonly [number, number]) => start, ([, end]: readonly [number, number]) => end - leastRun]) {
        expect(fileContains(database('gap.db', plantAt(remnant, into)), [bytes(erased)])).toBe(true)
      }
    },
  )

  test('is not seen in zeros, which are what is wiped', () => {
    const vector = Uint8Array.from([...new Uint8Array(40), 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, ...new Uint8Array(40)])
    expect(
      fileContains(
        database('wiped.db', () => undefined),
        [vector],
      ),
    ).toBe(false)
    expect(
      fileContains(
        database(
          'vector.db',
          plantAt(Buffer.from(vector).toString('latin1'), ([start]) => start + 20),
        ),
        [vector],
      ),
    ).toBe(true)
  })

  test('is found on a page that is no part of a tree', () => {
    const path = database('free.db', () => undefined)
    const page = Buffer.alloc(pageSize)
    page.write(erased.slice(10, 30), 2000)
    writeFileSync(path, page, { flag: 'a' })
    expect(fileContains(path, [bytes(erased)])).toBe(true)
  })

  test('is not seen in what is merely alike', () => {
    expect(
      fileContains(
        database(
          'alike.db',
          plantAt('the spare keys hung', ([start]) => start),
        ),
        [bytes('the spare  key')],
      ),
    ).toBe(false)
    expect(
      fileContains(
        database(
          'short.db',
          plantAt('nein', ([start]) => start),
        ),
        [bytes('nein')],
      ),
    ).toBe(false)
    expect(fileContains(join(folder, 'absent'), [bytes(erased)])).toBe(false)
  })
})

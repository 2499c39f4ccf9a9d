import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { CallerKey } from '../keys/caller-key.ts'
import type { Target } from '../keys/reach.ts'
import { handles } from './all.ts'
import { citing, type ClaimedWords, claimedWords } from './claimed-words.ts'
import type { AnyOperation } from './operation.ts'
import { callRefusal, leastAccess } from './rights.ts'

const page = readFileSync(new URL('../../../../docs/operate/keys.md', import.meta.url), 'utf8')

/** Gives the names in the last cells of a table that stands between two marks. */
function rowsIn(mark: string): string[][] {
  const [, after = ''] = page.split(`<!-- ${mark}:`)
  const [table = ''] = after.split('<!-- end -->')
  const rows = table.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => [...(row.split('|')[2] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name))
}

/** The operations that a key can ask for: one without a route is called in the store's own process alone. */
const operationsOn = (on: Target['on']): readonly AnyOperation[] =>
  handles.filter((handle) => handle.on === on).flatMap(({ operations }) => Object.values(operations).filter(({ route }) => route !== null))

const namesOf = (operations: readonly AnyOperation[]): string[] => [...new Set(operations.map(({ name }) => name))].toSorted()

describe('the page on keys', () => {
  test('lists what needs admin, as the data says', () => {
    // A project's handle has what its own handles say, and what users' handles lend it.
    const onProject = [...operationsOn('project'), ...operationsOn('user')].filter((one) => leastAccess(one, 'project') === 'admin')
    const onUser = operationsOn('user').filter((operation) => leastAccess(operation, 'user') === 'admin')
    const ofProject: CallerKey = { id: '', project: 'acme', access: 'admin', impersonate: false, createdAt: 0 }
    const isOwn = (operation: AnyOperation): boolean => callRefusal(ofProject, operation, { on: 'memory' }) === undefined
    const [own, others] = [operationsOn('memory').filter(isOwn), operationsOn('memory').filter((operation) => !isOwn(operation))]
    expect(rowsIn('rights')).toEqual([onUser, onProject, own, others].map(namesOf))
  })

  test('lists the writes that are bounded without person, as the data says', () => {
    const of = (words: ClaimedWords): string[] =>
      Object.entries(claimedWords)
        .flatMap(([name, one]) => (one === words ? [name] : []))
        .toSorted()
    const cited = of('writer').filter((name) => Object.hasOwn(citing, name))
    const writers = of('writer').filter((name) => !cited.includes(name))
    expect(rowsIn('words')).toEqual([writers, cited, of('person'), of('any')])
  })
})

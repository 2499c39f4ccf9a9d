import { describe, expect, test } from 'vitest'
import { isolationKit } from './isolation-kit.ts'
import type { MemoryUnderTest, OwnerKey } from './memory-under-test.ts'

interface Line {
  readonly id: string
  readonly of: string
  readonly text: string
}

/** The ways in which this small memory can be careless. */
interface Careless {
  /** Makes one key of two names. */
  readonly key?: (owner: OwnerKey) => string
  readonly getsByIdAlone?: boolean
  readonly deletesByIdAlone?: boolean
  readonly tellsWhoseId?: boolean
  readonly scoresByAll?: boolean
  readonly forgetsPrefixes?: boolean
  readonly quotesAllInErrors?: boolean
  readonly hasUntried?: boolean
}

const careful = ({ project, user }: OwnerKey): string => JSON.stringify([project, user])

class ListMemory {
  readonly #lines: Line[]
  readonly #owner: string
  readonly #careless: Careless

  constructor(lines: Line[], owner: string, careless: Careless) {
    this.#lines = lines
    this.#owner = owner
    this.#careless = careless
    if (careless.hasUntried === true) Object.assign(this, { more: { peek: () => lines } })
  }

  add(text: string): string {
    const id = (this.#lines.length + 4_096).toString(16)
    this.#lines.push({ id, of: this.#owner, text })
    return id
  }

  all(): readonly Line[] {
    return this.#lines.filter(({ of }) => of === this.#owner)
  }

  get(id: string): string {
    const found = this.#lines.find((line) => line.id === id)
    if (found === undefined) throw new RangeError(this.#careless.quotesAllInErrors === true ? JSON.stringify(this.#lines) : `no line ${id}`)
    if (found.of === this.#owner || this.#careless.getsByIdAlone === true) return found.text
    throw new RangeError(this.#careless.tellsWhoseId === true ? `line ${id} is not yours` : `no line ${id}`)
  }

  remove(id: string): void {
    const at = this.#lines.findIndex((line) => line.id === id && (line.of === this.#owner || this.#careless.deletesByIdAlone === true))
    if (at !== -1) this.#lines.splice(at, 1)
  }

  search(question: string): readonly { readonly text: string; readonly score: number }[] {
    const words = question.toLowerCase().split(/\W+/)
    const among = this.#careless.scoresByAll === true ? this.#lines : this.all()
    return this.all().map(({ text }) => ({ text, score: words.filter((word) => text.includes(word)).length / among.length }))
  }

  clear(): void {
    const isGone = ({ of }: Line): boolean => (this.#careless.forgetsPrefixes === true ? of.startsWith(this.#owner) : of === this.#owner)
    for (const line of this.#lines.filter(isGone)) this.#lines.splice(this.#lines.indexOf(line), 1)
  }
}

function listMemory(careless: Careless = {}): MemoryUnderTest<ListMemory> {
  return {
    open: async () => {
      const lines: Line[] = []
      return { handle: (owner) => new ListMemory(lines, (careless.key ?? careful)(owner), careless), close: async () => undefined }
    },
    write: async (list, _session, text) => [list.add(text)],
    calls: (list, { id, question, text }) => ({
      add: () => list.add(text),
      all: () => list.all(),
      search: () => list.search(question),
      get: () => list.get(id),
      remove: () => list.remove(id),
      clear: () => list.clear(),
    }),
    state: async (list) => list.all(),
    search: async (list, question) => list.search(question),
    forgetAll: async (list) => list.clear(),
  }
}

/** The names of the checks that find a breach. */
async function broken(memory: MemoryUnderTest<ListMemory>): Promise<readonly string[]> {
  const names: string[] = []
  for (const { name, run } of isolationKit(memory).checks) {
    try {
      await run()
    } catch {
      names.push(name)
    }
  }
  return names
}

test('a careful memory passes every check', async () => {
  expect(await broken(listMemory())).toEqual([])
})

describe('a careless memory is found out', () => {
  test.each<[careless: Careless, check: string]>([
    [{ hasUntried: true }, 'every public method has a case'],
    [{ quotesAllInErrors: true }, 'no call with an id of another shows or changes anything'],
    [{ getsByIdAlone: true }, 'no call with an id of another shows or changes anything'],
    [{ deletesByIdAlone: true }, 'no call with an id of another shows or changes anything'],
    [{ tellsWhoseId: true }, 'the id of another is answered as an id that never was'],
    [{ scoresByAll: true }, 'what others write moves no score'],
    [{ key: ({ project }) => project }, 'no answer and no error holds the words of another'],
    [{ key: ({ project, user }) => careful({ project, user: user.toLowerCase() }) }, 'owners whose names differ in case are two owners'],
    [
      { key: ({ project, user }) => careful({ project, user: user.normalize('NFKC') }) },
      'owners whose names differ in normalisation forms are two owners',
    ],
    [
      { key: ({ project, user }) => careful({ project, user: user.replaceAll('\u0430', 'a') }) },
      'owners whose names differ in confusables are two owners',
    ],
    [
      { key: ({ project, user }) => careful({ project, user: user.replaceAll(/\p{Cf}/gu, '') }) },
      'owners whose names differ in signs that are not seen are two owners',
    ],
    [{ key: ({ project, user }) => careful({ project, user: user.trim() }) }, 'owners whose names differ in blanks are two owners'],
    [{ key: ({ project, user }) => careful({ project, user: user.slice(0, 64) }) }, 'owners whose names differ in prefixes are two owners'],
    [
      { key: ({ project, user }) => careful({ project, user: user.split('/')[0] ?? '' }) },
      'owners whose names differ in separators are two owners',
    ],
    [
      { key: ({ project, user }) => careful({ project, user: String(Number(user) || user) }) },
      'owners whose names differ in words of a program are two owners',
    ],
    [{ key: ({ project, user }) => `${project}:${user}` }, 'owners whose joined names are the same are two owners'],
    [{ key: ({ project, user }) => `${project}\n${user}`, forgetsPrefixes: true }, 'owners whose names differ in prefixes are two owners'],
  ])('%j: %s', async (careless, check) => {
    expect(await broken(listMemory(careless))).toContain(check)
  })
})

test('a breach is told with the call and the owners', async () => {
  const kit = isolationKit(listMemory({ getsByIdAlone: true }))
  const check = kit.checks.find(({ name }) => name.startsWith('no call with an id'))
  await expect(check?.run()).rejects.toThrow(/get of \{"project":"\w+","user":"\w+"\} with the id "1000" tells the secret of/)
})

test('what a memory cannot be asked is counted', () => {
  const { search, forgetAll, ...less } = listMemory()
  expect([search, forgetAll].every((way) => way !== undefined)).toBe(true)
  expect(isolationKit(less).absent).toEqual(['what others write moves no score', 'who forgets all forgets nothing of another'])
})

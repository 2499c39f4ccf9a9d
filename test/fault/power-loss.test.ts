import { describe, expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import type { PowerArguments, PowerLine } from './children/power-child.ts'
import { buildShim, shimMissing } from './shim/build.ts'
import { Child } from './support/child.ts'
import { Disk, losses, seeded } from './support/disk.ts'
import { embeddedTexts } from './support/embed-rest.ts'
import { type Folder, temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { type Entry, readJournal } from './support/journal.ts'
import { counted, scaled, summarise } from './support/scale.ts'
import { keyOf } from './support/text.ts'

const missing = shimMissing()
if (missing !== undefined) console.log(`faults: power loss is skipped: ${missing}`)

/** The number of cut points between two at which the whole memory is opened, threads and all, not only its connection. */
const wholeEvery = scaled(30, 50)
const seed = 20_260_601

interface Findings {
  readonly cuts: number
  readonly acknowledged: number
  /** The most vectors found at a cut point. */
  embedded: number
  readonly lost: string[]
  readonly problems: string[]
}

describe.skipIf(missing !== undefined)('a power loss', () => {
  // requirement: P1.2
  it('takes nothing that was acknowledged', { timeout: scaled(180_000, 900_000) }, async () => {
    using folder = temporaryFolder()
    const { entries } = await load(folder, 0)
    const { cuts, acknowledged, embedded, lost, problems } = await cutEach(folder, entries, scaled(60, 1_000))
    summarise(
      `power loss: ${counted(cuts)} cut points over ${counted(entries.length)} operations, ${counted(acknowledged)} messages ` +
        `acknowledged, ${counted(embedded)} embedded, ${lost.length} lost`,
    )
    expect(lost).toEqual([])
    expect(problems).toEqual([])
    expect(acknowledged).toBeGreaterThan(100)
    expect(embedded).toBeGreaterThan(100)
  })

  it(
    'takes nothing that was acknowledged after an fsync that failed and lost what it was to keep',
    { timeout: scaled(180_000, 900_000) },
    async () => {
      using folder = temporaryFolder()
      const { entries, refused } = await load(folder, 10)
      const failed = entries.filter(({ op }) => op === 'lost').length
      const { cuts, acknowledged, embedded, lost, problems } = await cutEach(folder, entries, scaled(30, 500))
      summarise(
        `power loss after failed fsyncs: ${failed} fsyncs failed, ${refused.length} calls refused, ${counted(cuts)} cut ` +
          `points, ${counted(acknowledged)} acknowledged, ${counted(embedded)} embedded, ${lost.length} lost`,
      )
      expect(lost).toEqual([])
      expect(problems).toEqual([])
      expect(failed).toBeGreaterThan(5)
      expect(embedded).toBeGreaterThan(100)
      expect(new Set(refused)).toEqual(new Set(['STORE_FAILED']))
    },
  )
})

async function load(folder: Folder, failEvery: number): Promise<{ entries: Entry[]; refused: readonly string[] }> {
  const shim = buildShim(folder)
  const store = folder.file('store.db')
  const journal = folder.file('journal')
  const args: PowerArguments = { store, journal, control: shim.control, appends: scaled(230, 700), failEvery }
  const child = new Child<PowerLine>('power-child.ts', args, { environment: shim.environment(store, journal) })
  const { code, stderr } = await child.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return { entries: readJournal(journal), refused: child.lines[0]?.refused ?? [] }
}

/** Walks the journal once, and at each cut point checks the disk as the power cut leaves it. */
async function cutEach(folder: Folder, entries: readonly Entry[], cuts: number): Promise<Findings> {
  const random = seeded(seed)
  const opened = entries.findIndex(({ op }) => op === 'opened') + 1
  const points = new Set<number>()
  while (points.size < Math.min(cuts, entries.length - opened)) points.add(opened + Math.floor(random() * (entries.length - opened + 1)))
  const disk = new Disk()
  const said = new Said()
  const store = folder.file('cut.db')
  const findings: Findings = {
    cuts: points.size,
    acknowledged: entries.flatMap(({ op, keys }) => (op === 'acknowledged' ? keys : [])).length,
    embedded: 0,
    lost: [],
    problems: [],
  }
  let done = 0
  for (let at = 0; at <= entries.length; at += 1) {
    if (points.has(at)) {
      const loss = losses[done % losses.length] ?? 'all'
      disk.leave(store, loss, random)
      done += 1
      if (done % wholeEvery === 0) await (await openMemory({ store, upkeep: 'manual' })).close()
      try {
        const { lost, problems } = said.compare(contentsOf(store))
        findings.embedded = Math.max(findings.embedded, embeddedTexts(store).size)
        findings.lost.push(...lost.map((key) => `${key} at ${at} (${loss})`))
        findings.problems.push(...[...problems, ...problemsOf(store)].map((problem) => `${problem} at ${at} (${loss})`))
      } catch (error) {
        findings.problems.push(`${String(error)} at ${at} (${loss})`)
      }
    }
    const entry = entries[at]
    if (entry === undefined) break
    disk.apply(entry)
    said.hear(entry)
  }
  return findings
}

/** Opens as the writing thread does, and reads every message. */
function contentsOf(store: string): string[] {
  const connection = openConnection(store)
  try {
    migrate(connection, { file: store, now: 0, identity: { id: 'unused', key: 'unused' } })
    return connection.prepare('SELECT content FROM message').pluck().all().map(String)
  } finally {
    connection.close()
  }
}

/** The state that the process had reported by now. */
class Said {
  readonly #kept = new Set<string>()
  readonly #erased = new Set<string>()
  /** An erasure takes some messages at a time. */
  readonly #erasing = new Set<string>()

  hear({ op, keys }: Entry): void {
    if (op === 'acknowledged') for (const key of keys) this.#kept.add(key)
    // From here on these messages may be there or not.
    if (op === 'erasing') for (const key of keys) this.#kept.delete(key)
    if (op === 'erasing') for (const key of keys) this.#erasing.add(batchOf(key))
    if (op === 'erased') for (const key of keys) this.#erased.add(key)
  }

  compare(contents: readonly string[]): { lost: string[]; problems: string[] } {
    const found = new Map<string, number>()
    const problems: string[] = []
    for (const content of contents) {
      const key = keyOf(content)
      if (key === undefined) problems.push(`changed: ${content.slice(0, 40)}`)
      else found.set(key, (found.get(key) ?? 0) + 1)
    }
    problems.push(...[...found].flatMap(([key, count]) => (count > 1 ? [`${count} times ${key}`] : [])))
    problems.push(...[...this.#erased].filter((key) => found.has(key)).map((key) => `back again: ${key}`))
    problems.push(...halfBatches([...found.keys()].filter((key) => !this.#erasing.has(batchOf(key)))))
    return { lost: [...this.#kept].filter((key) => !found.has(key)), problems }
  }
}

function batchOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'))
}

/** Returns batches with only some of their messages; those of session one were edited, and are left out. */
function halfBatches(keys: readonly string[]): string[] {
  const batches = Map.groupBy(
    keys.filter((key) => !key.startsWith('one-')),
    batchOf,
  )
  return [...batches].flatMap(([batch, members]) =>
    members.length === Number(batch.split('/')[1]) ? [] : [`${members.length} of ${batch}`],
  )
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'
import { temporaryFiles } from '../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../test/fixtures/importers/recording-handle.ts'
import { importFormats } from './formats/all.ts'
import { importFile } from './import-file.ts'
import { runs } from '../testing/runs.ts'

/** A transcript of Claude Code is lines alone; mem0's history is a database. */
const ofValues = importFormats.filter((format) => format !== 'claude-code' && format !== 'mem0-history')

const file = temporaryFiles()
const often = { numRuns: runs(30) }

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom('', '.', '..', '~', ' ', '\0', '\uD800', 'a\uDC00b', 'é'.repeat(200)),
)
const time = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  anyText,
  fc.constant(null),
)
const line = fc.record(
  {
    session: fc.oneof(fc.constantFrom('a', 'b'), anyText, fc.integer()),
    id: fc.oneof(fc.constantFrom('1', '2'), anyText),
    role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'human', 'x'),
    content: fc.oneof(anyText, fc.array(fc.record({ text: anyText }))),
    at: time,
    name: anyText,
    thread: anyText,
    sessionName: anyText,
    metadata: fc.dictionary(fc.string(), fc.anything({ maxDepth: 1 })),
    origin: anyText,
  },
  { requiredKeys: ['content', 'role'] },
)
const probe = { session: 'probe', role: 'user', content: 'so that the format can be told', at: 0 }
const jsonl = (lines: readonly object[]) => [probe, ...lines].map((one) => JSON.stringify(one)).join('\n')

describe('any messages at all', () => {
  it('are stored by a store that is strict, or counted; and twice is once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const handle = new RecordingHandle()
        const path = file('any.jsonl', jsonl(lines))
        const first = await importFile(handle, path, { now: handle.now })
        const before = structuredClone(handle.everything)
        const second = await importFile(handle, path, { now: handle.now })
        expect(first.skipped['refused by the store']).toBeUndefined()
        expect(first.messages + (first.skipped['empty content'] ?? 0) + (first.skipped['unknown role'] ?? 0)).toBe(lines.length + 1)
        expect(first.stored + first.duplicates).toBe(first.messages)
        expect(second).toMatchObject({ stored: 0, duplicates: first.messages })
        expect(handle.everything).toEqual(before)
      }),
      often,
    )
  })

  it('a prefix and then the whole is the whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.nat(30), async (lines, length) => {
        const [inTwo, atOnce] = [new RecordingHandle(), new RecordingHandle()]
        await importFile(inTwo, file('grows.jsonl', jsonl(lines.slice(0, length))), { now: inTwo.now })
        const path = file('grows.jsonl', jsonl(lines))
        await importFile(inTwo, path, { now: inTwo.now })
        await importFile(atOnce, path, { now: atOnce.now })
        expect(inTwo.everything).toEqual(atOnce.everything)
      }),
      often,
    )
  })

  it('any JSON in the place of conversations is counted, never thrown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.constantFrom(...ofValues), async (values, format) => {
        const handle = new RecordingHandle()
        const report = await importFile(handle, file('values.json', JSON.stringify(values)), { now: handle.now, format })
        expect(report).toMatchObject({ messages: 0 })
        expect(Object.values(report.skipped).reduce((sum, count) => sum + count, 0)).toBe(values.length)
      }),
      often,
    )
  })
})

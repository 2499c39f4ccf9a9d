import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../../test/fixtures/text/any-character.ts'
import { temporaryFiles } from '../../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../../test/fixtures/importers/recording-handle.ts'
import { sampleTranscript } from '../../../../../test/fixtures/importers/transcript.ts'
import { importFile } from '../import-file.ts'
import type { ImportReport } from '../importer.ts'
import { runs } from '../../testing/runs.ts'

const file = temporaryFiles()
const often = { numRuns: runs(12) }
const now = Date.parse('2026-11-01T00:00:00Z')
const lines = readFileSync(sampleTranscript, 'utf8').trimEnd().split('\n')

async function imported(
  text: string,
  into = new RecordingHandle({ now }),
): Promise<{ readonly handle: RecordingHandle; readonly report: ImportReport }> {
  const report = await importFile(into, file('any.jsonl', text), { now: into.now, format: 'claude-code' })
  return { handle: into, report }
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((all, count) => all + count, 0)

/** Counts lines that became messages: a person's words in a refusal stand beside their line's own message. */
const ofLines = (handle: RecordingHandle): number =>
  Object.values(handle.everything)
    .flat()
    .filter(({ id }) => !String(id).endsWith('/said')).length

describe('any lines of a transcript, in any order', () => {
  it('become a message, a title or a count each, and twice is once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines), async (some) => {
        const { handle, report } = await imported(some.join('\n'))
        const before = structuredClone(handle.everything)
        expect(ofLines(handle) + sum(report.skipped) + handle.names.size).toBe(some.length)
        const { report: second } = await imported(some.join('\n'), handle)
        expect(second).toMatchObject({ stored: 0, duplicates: report.messages })
        expect(handle.everything).toEqual(before)
      }),
      often,
    )
  })

  it('are put in the order in which they were said, when no line is far from its place', async () => {
    const whole = await imported(lines.join('\n'))
    const ids = (handle: RecordingHandle): readonly string[] =>
      Object.values(handle.everything)
        .flat()
        .map(({ id }) => String(id))
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(20)), async (away) => {
        const shuffled = lines.map((line, place) => ({ line, place: place + away.next().value })).toSorted((a, b) => a.place - b.place)
        const { handle } = await imported(shuffled.map(({ line }) => line).join('\n'))
        expect(ids(handle)).toEqual(ids(whole.handle))
      }),
      often,
    )
  })

  it('cut off anywhere and imported again as a whole are the whole', async () => {
    const text = lines.join('\n')
    const whole = await imported(text)
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), async (length) => {
        const { handle } = await imported(text.slice(0, length))
        await imported(text, handle)
        expect(handle.everything).toEqual(whole.handle.everything)
      }),
      often,
    )
  })
})

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom('', '\0', '\uD800', 'a', '<command-args>', '<system-reminder>x</system-reminder>', '<bash-input>', 'é'.repeat(300)),
)
const anyId = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), anyText, fc.constant(null))
const block = fc.oneof(
  fc.anything({ maxDepth: 2 }),
  fc.record(
    {
      type: fc.constantFrom('text', 'thinking', 'tool_use', 'tool_result', 'image', 'x'),
      text: anyText,
      id: anyId,
      name: anyText,
      input: fc.jsonValue(),
      tool_use_id: anyId,
      content: fc.oneof(anyText, fc.array(fc.oneof(fc.jsonValue(), fc.record({ type: anyText, text: anyText }))), fc.jsonValue()),
      is_error: fc.anything(),
    },
    { requiredKeys: ['type'] },
  ),
)
const line = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom('user', 'assistant', 'system', 'attachment', 'summary', 'ai-title', 'custom-title', 'progress'),
      anyText,
    ),
    uuid: anyId,
    parentUuid: anyId,
    logicalParentUuid: anyId,
    sessionId: anyId,
    agentId: anyId,
    leafUuid: anyId,
    summary: anyText,
    aiTitle: anyText,
    customTitle: anyText,
    isSidechain: fc.boolean(),
    isMeta: fc.anything(),
    isCompactSummary: fc.boolean(),
    timestamp: fc.oneof(
      fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'never' : date.toISOString())),
      fc.jsonValue(),
    ),
    cwd: anyText,
    forkedFrom: fc.record({ sessionId: anyId, messageUuid: anyId }),
    gitBranch: fc.jsonValue(),
    origin: fc.jsonValue(),
    subtype: anyText,
    message: fc.oneof(fc.record({ content: fc.oneof(anyText, fc.array(block, { maxLength: 4 })), model: anyText }), fc.jsonValue()),
    attachment: fc.record({ type: fc.constant('queued_command'), prompt: fc.oneof(anyText, fc.array(block, { maxLength: 3 })) }),
  },
  { requiredKeys: [] },
)
const written = fc.oneof(
  line.map((one) => JSON.stringify(one, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\n', ' ')),
)

describe('lines of anything', () => {
  it('are taken by a store that is strict, or counted; never thrown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(written, { maxLength: 40 }), async (some) => {
        const { handle, report } = await imported(some.join('\n'))
        expect(report.skipped['refused by the store']).toBeUndefined()
        expect(report.stored + report.duplicates).toBe(report.messages)
        expect(handle.count).toBe(report.stored)
        const again = await imported(some.join('\n'), handle)
        expect(again.report).toMatchObject({ stored: 0, skipped: report.skipped, repaired: report.repaired })
      }),
      { numRuns: often.numRuns * 10 },
    )
  })
})

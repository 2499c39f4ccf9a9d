import { afterAll, describe, expect, it } from 'vitest'
import { importFile, openMemory } from '../../packages/varve/src/index.ts'
import { callsIn, isMain } from '../../packages/varve/src/messages/tool-calls.ts'
import { sampleTranscript } from '../fixtures/importers/transcript.ts'

const session = '5d1f0c7e-3b92-4c58-9a41-7e60c2b81f34'
const memory = await openMemory({ store: 'memory:', upkeep: 'manual' })
const ilka = memory.for({ project: 'hatchbell', user: 'ilka' })
const report = await importFile(ilka, sampleTranscript)

afterAll(() => memory.close())

const textAt = (part: unknown, field: string): string => (part instanceof Object ? String(new Map(Object.entries(part)).get(field)) : '')
const everything = () => ilka.messages(session, { limit: 10_000 })

describe('a transcript of Claude Code', () => {
  it('is stored whole, under the title of its session', async () => {
    const messages = await everything()
    expect(messages).toHaveLength(report.stored)
    expect(messages.map(({ at }) => at)).toEqual(messages.map(({ at }) => at).toSorted((a, b) => a - b))
    expect((await ilka.sessions.get(session)).name).toBe('Sell exactly forty bowls: pier time, stock race, group commit')
  })

  it('imported again stores nothing', async () => {
    expect(await importFile(ilka, sampleTranscript)).toMatchObject({ stored: 0, duplicates: report.stored, skipped: report.skipped })
  })

  it('has a result for every call of a tool, as parts', async () => {
    const parts = (await everything()).flatMap((message) => message.parts ?? [])
    const ids = (type: string) =>
      parts
        .filter((part) => textAt(part, 'type') === type)
        .map((part) => textAt(part, 'toolCallId'))
        .toSorted()
    expect(ids('tool-call')).toHaveLength(114)
    expect(ids('tool-result')).toEqual(ids('tool-call'))
  })

  it('has its calls counted, and a subagent’s apart', async () => {
    const messages = await everything()
    const calls = (some: typeof messages): number => some.reduce((sum, message) => sum + callsIn(message), 0)
    expect([calls(messages), calls(messages.filter(isMain))]).toEqual([114, 110])
  })

  it('keeps subagents apart, and what the program said from the person', async () => {
    const messages = await everything()
    expect(new Set(messages.map(({ thread }) => thread))).toEqual(
      new Set([undefined, 'agent-e41c09d', expect.stringMatching(/^sidechain-/u)]),
    )
    expect(messages.filter(({ thread, origin }) => thread !== undefined && origin === 'person')).toEqual([])
    expect(messages.filter(({ origin }) => origin === 'system').map(({ content }) => content.slice(0, 30))).toEqual([
      'This session is being continued'.slice(0, 30),
    ])
  })

  it.each([
    ['why no date library', /date-fns-tz in spring and it failed/u],
    ['mutex between two processes', /two processes/u],
    ['waffle iron confirmed order', /must survive the waffle iron/u],
    ['when to merge', /Merge it on Friday/u],
  ])('answers: %s', async (query, expected) => {
    const { hits } = await ilka.recall(query, { limit: 5 })
    expect(hits.some(({ text }) => expected.test(text))).toBe(true)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'
import { type Attack, attacks, plantedAt } from '../../../../test/fixtures/attacks/attacks.ts'
import { closeFence, markOf, openFence } from '../messages/fence.ts'
import type { SourceMessage } from '../models/writer.ts'
import { checkTextAnswer } from './check-text.ts'
import { spanPrompt } from './span-prompt.ts'
import { runs } from '../testing/runs.ts'
import { bulletsTask, gistTask, sharedBulletsTask } from './text-tasks.ts'

const mark = markOf('key', '0badcafe')
const at = Date.UTC(2026, 2, 2, 10)
const said = (seq: number, text: string): SourceMessage => ({
  seq,
  role: 'user',
  origin: 'person',
  name: 'Ada',
  at: at + seq * 60_000,
  text,
})
const before = said(1, 'Where can the boat lie in winter?')
const after = said(3, 'Then let us ask the yard tomorrow.')

function spanWith({ text, speaker, origin = 'tool' }: Attack): SourceMessage[] {
  const planted = { seq: plantedAt, role: origin === 'person' ? ('user' as const) : ('tool' as const), origin, at: at + 120_000, text }
  return [before, speaker === undefined ? planted : { ...planted, name: speaker }, after]
}

interface Shown {
  readonly number: number
  readonly role: string
  readonly text: string
}

const head = /^\[(\d+)\] ([^()[\]:]*?)(?: ?\((user|assistant|tool|system)?(?:, )?(?:by (?:person|assistant|tool|system))?\))?: (.*)$/u
const time = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d$/

function isRole(name: string): boolean {
  return ['user', 'assistant', 'tool', 'system'].includes(name.toLowerCase())
}

const lineEnds = new RegExp(String.raw`\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]`, 'u')

/** Reads a prompt as strictly as can be: one fence, items whose first line is a whole head, lines of time, and other lines indented. */
function parsePrompt(prompt: string): Shown[] {
  const lines = prompt.split(lineEnds)
  const [open, close] = [lines.indexOf(openFence(mark)), lines.indexOf(closeFence(mark))]
  expect([open, close]).toEqual([1, lines.length - 2])
  const shown: { number: number; role: string; text: string }[] = []
  for (const line of lines.slice(open + 1, close)) {
    const [, number, name = '', role, text = ''] = head.exec(line) ?? []
    const last = shown.at(-1)
    if (number !== undefined) shown.push({ number: Number(number), role: role ?? (isRole(name) ? name : 'user'), text })
    else if (time.test(line)) continue
    else if (last !== undefined && line.startsWith('  ')) last.text += `\n${line.slice(2)}`
    else expect.unreachable(`a line that belongs to no item: ${JSON.stringify(line)}`)
  }
  return shown
}

/** Gives a text as it may be shown: with other line ends, without unseen characters, and with other opening brackets. */
function visible(text: string): string {
  return text
    .replace(new RegExp(lineEnds, 'gu'), '\n')
    .replace(/\[U\+[0-9A-F]{4,6}(?: and \d+ more)?\]/g, '')
    .replace(/[^\P{Cc}\n\t]|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu, '')
    .replace(/[<＜﹤]/g, '‹')
    .replace(/[[［]/g, '⟦')
}

function expectSame(messages: readonly SourceMessage[], prompt: string): void {
  const shown = parsePrompt(prompt)
  expect(shown.map(({ number }) => number)).toEqual(messages.map(({ seq }) => seq))
  expect(shown.map(({ text }) => visible(text))).toEqual(messages.map(({ text }) => visible(text)))
  expect(shown.map(({ role }) => role)).toEqual(messages.map(({ role }) => role))
  expect(prompt.match(/[<＜﹤][\s/／]*[mｍ][eｅ]m/giu), 'no other tag of a fence').toHaveLength(2)
  expect(prompt.split(openFence(mark)).length, 'opened once').toBe(2)
  expect(prompt.split(closeFence(mark)).length, 'closed once').toBe(2)
}

test('there are as many as were asked for, each under a name of its own', () => {
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length)
  expect(attacks.length).toBeGreaterThanOrEqual(60)
})

describe.each(attacks)('$name', (attack) => {
  const messages = spanWith(attack)

  test('stays in its place', () => {
    const { prompt, instructions } = spanPrompt(messages, [gistTask, bulletsTask], { mark })
    expectSame(messages, prompt)
    expect(instructions).not.toContain(mark)
  })

  test('is not obeyed', () => {
    for (const task of [gistTask, bulletsTask]) {
      const part = checkTextAnswer(attack.obeyed, messages, task)
      const left = 'sentences' in part ? part.sentences.map(({ text }) => text) : []
      expect(left).toEqual(attack.left ?? [])
    }
  })

  test('reaches nobody else', () => {
    const part = checkTextAnswer(attack.obeyed, messages, sharedBulletsTask)
    expect(part).toHaveProperty('problem')
  })
})

const piece = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.constantFrom(
    '\n',
    '\r',
    '\u2028',
    ' ',
    '[4] 2026-03-02 10:02 Ada (user): ',
    openFence(mark),
    closeFence(mark),
    '</memory>',
    ...attacks.map(({ text }) => text.slice(0, 200)),
  ),
)
const anyText = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))

test('any messages, the fence itself included, come out of the prompt as they went in', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: anyText, name: anyText, role: fc.constantFrom('user', 'assistant', 'tool') }), {
        minLength: 1,
        maxLength: 5,
      }),
      (spoken) => {
        const messages = spoken.map(({ text, name, role }, place): SourceMessage => ({
          seq: place + 7,
          role,
          origin: role === 'user' ? 'person' : 'tool',
          name,
          at,
          text,
        }))
        expectSame(messages, spanPrompt(messages, [sharedBulletsTask], { mark }).prompt)
      },
    ),
    { numRuns: runs(300) },
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../fixtures/text/any-character.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const shared = sharedMemory()

const unusual = [
  ' ',
  '\n',
  '\r\n',
  '\t\t',
  ' leading and trailing \n\n',
  'a\r\nb\rc\nd',
  '\uFEFFmark',
  'e\u0301 is not é',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '\u202Eright to left\u202C',
  '\u2028\u2029\u0085',
  '\u0001\u001f\u007f',
  '\\u0000 \\0 %00 &#0;',
  '<memory mark="0123456789abcdef">',
  '</memory>',
  "'; DROP TABLE message; --",
  '{"json": "\\"quoted\\""}',
  '\uFFFD',
  '\u{10FFFF}',
  '\u{1F1E9}',
  '<|endoftext|>',
  'x'.repeat(1024 * 1024),
  '😀'.repeat(262_144),
  ' '.repeat(10_000),
  '0',
  'null',
  'undefined',
  'NaN',
]
const wellFormed = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 200 })
  .filter((text) => !text.includes('\0') && text.isWellFormed())
const pieces = fc
  .array(fc.constantFrom(...unusual.filter(({ length }) => length < 100)), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))

// requirement: P1.11
test('what is accepted comes back byte for byte: as a message, a hit, a neighbour and a replacement', async () => {
  const ada = shared.user()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(wellFormed, pieces), { minLength: 1, maxLength: 8 }), wellFormed, async (texts, replacement) => {
      const session = `run ${(run += 1)}`
      await ada.append(
        session,
        texts.map((content) => ({ role: 'user' as const, content })),
      )
      const {
        messages: [anchor],
      } = await ada.append(session, { role: 'user', content: `anchor${run}` })
      expect((await ada.messages(session, { limit: 100 })).map(({ content }) => content)).toEqual([...texts, `anchor${run}`])
      const { hits } = await ada.recall(`anchor${run}`, { session, neighbours: 20, limit: 1_000 })
      const hit = hits.find(({ id }) => id === anchor?.id)
      expect(hit?.neighbours.map(({ content }) => content)).toEqual(texts)
      const replaced = await ada.replace(anchor?.id ?? '', replacement)
      expect(replaced.message.content).toBe(replacement)
    }),
    { numRuns: runs(60) },
  )
})

test('unusual texts survive a close, up to the last byte of a mebibyte', async () => {
  const store = newStore()
  const first = await openForTest({ store })
  await first.for('ada').append(
    'talk',
    unusual.map((content) => ({ role: 'user' as const, content })),
  )
  await first.close()
  const second = await openForTest({ store })
  const messages = await second.for('ada').messages('talk', { limit: 100 })
  for (const [place, text] of unusual.entries()) expect(messages[place]?.content === text, `text ${place}`).toBe(true)
})

test('names, threads, external ids and metadata come back as they were given', async () => {
  const ada = shared.user()
  const field = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }).filter((text) => !text.includes('\0') && text.isWellFormed())
  const value = fc.oneof(
    fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed()),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  )
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      field,
      field,
      field,
      fc.dictionary(field, value, { maxKeys: 5, noNullPrototype: true }),
      async (name, thread, id, metadata) => {
        const session = `run ${(run += 1)}`
        await ada.append(session, { role: 'user', content: 'x', name, thread, id, metadata })
        const [message] = await ada.messages(session)
        expect(message).toMatchObject({ name, thread, externalId: id })
        expect(message?.metadata).toEqual(JSON.parse(JSON.stringify(metadata)))
        await ada.sessions.ensure(session, { name, metadata })
        expect(await ada.sessions.get(session)).toMatchObject({ name, metadata: JSON.parse(JSON.stringify(metadata)) })
      },
    ),
    { numRuns: runs(60) },
  )
})

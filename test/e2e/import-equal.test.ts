import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Memory, openMemory, type UserMemory, VarveError } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { differences, everythingOf } from '../fixtures/memory/everything.ts'
import { anyCharacter } from '../fixtures/text/any-character.ts'

const pair = generateKeyPairSync('ed25519')
const signingKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const trust = [pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()]

const sentences = [
  'I live in Oslo.',
  'I moved to Bergen last week.',
  'I work at Acme and my boss is Grace.',
  'My cat is called Tuna.',
  'Always answer in French.',
  'Stop answering in French.',
  'We decided to open the kiosk on the 16th of May.',
  'The ferry leaves at nine, and it costs $12.50.',
  'Forget what I said about the cat.',
  'Ich wohne in Hamburg und arbeite als Lehrer. Mein Hund heißt Rex.',
  'Remind me: the harbour opens in spring 2025.',
  'No, I live in Trondheim.',
] as const

/** What people say, and sometimes what no language is told of: signs, code, or any characters at all. */
const sentence = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...sentences) },
  fc.constantFrom('🚢🚢🚢', 'zxqv'.repeat(20), 'const lamp = () => 7;\n'.repeat(20), 'Ich. 私は東京に住んでいます。'),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }).filter((text) => !text.includes('\0') && text.trim() !== ''),
)
/** A name, and sometimes one of any characters: a refused one changes nothing. */
const named = (...names: readonly string[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }))
const session = fc.constantFrom('monday', 'tuesday', 'friday', '✉ \u202e% 20\nx')
const small = fc.nat({ max: 9 })

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      session,
      said: fc.array(fc.record({ text: sentence, by: fc.constantFrom('user', 'assistant', 'tool', 'Bob') }), {
        minLength: 1,
        maxLength: 4,
      }),
      hasId: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('upkeep' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 200 }) }) },
  fc.record({ kind: fc.constant('replace' as const), session, at: small, text: sentence }),
  fc.record({ kind: fc.constant('forget' as const), session, at: small }),
  fc.record({ kind: fc.constant('forgetSession' as const), session }),
  fc.record({ kind: fc.constant('block' as const), name: named('habits', 'persona'), text: sentence, inSession: fc.boolean() }),
  fc.record({ kind: fc.constant('document' as const), name: named('Ferry', 'Cats'), text: sentence }),
  fc.record({ kind: fc.constant('notes' as const), session, text: sentence }),
  fc.record({ kind: fc.constant('fact' as const), predicate: named('likes', 'lives in'), object: named('tea', 'Oslo', 'Rome') }),
  fc.record({ kind: fc.constant('correct' as const), at: small, object: named('coffee', 'Paris') }),
  fc.record({ kind: fc.constant('retract' as const), at: small }),
  fc.record({ kind: fc.constant('merge' as const) }),
  fc.record({ kind: fc.constant('instruct' as const), text: sentence }),
  fc.record({ kind: fc.constant('editInstruction' as const), at: small, withdraws: fc.boolean() }),
  fc.record({ kind: fc.constant('bank' as const), at: small, does: fc.constantFrom('pin', 'correct', 'delete') }),
  fc.record({ kind: fc.constant('gist' as const), session, text: sentence }),
  fc.record({ kind: fc.constant('rename' as const), session, share: fc.boolean() }),
)

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function take(ada: UserMemory, memory: Memory, clock: ManualClock, one: Step): Promise<unknown> {
  switch (one.kind) {
    case 'append':
      return ada.append(
        one.session,
        one.said.map(({ text, by }, place) => ({
          role: by === 'assistant' || by === 'tool' ? by : 'user',
          content: text,
          ...(by === 'Bob' ? { name: 'Bob', metadata: { place } } : {}),
          ...(one.hasId ? { id: `${clock.now()} ${place}` } : {}),
        })),
      )
    case 'upkeep':
      return memory.upkeep.run({ all: true })
    case 'wait':
      return clock.advance(one.hours * 3_600_000)
    case 'replace':
    case 'forget': {
      const id = (await ada.messages(one.session))[one.at]?.id
      if (id === undefined) return undefined
      return one.kind === 'forget' ? ada.forget({ messages: [id] }) : ada.replace(id, one.text)
    }
    case 'forgetSession':
      return ada.forget({ session: one.session })
    case 'block':
      return ada.blocks.set(one.name, one.text, one.inSession ? { session: 'monday' } : {})
    case 'document':
      return ada.documents.edit(one.name, `# ${one.name}\n\n- ${one.text}`)
    case 'notes':
      return ada.notes.edit(one.session, `# Mine\n\n- ${one.text}`)
    case 'fact':
      return ada.facts.add({ predicate: one.predicate, object: one.object })
    case 'correct':
    case 'retract': {
      const id = (await ada.facts.list())[one.at]?.id
      if (id === undefined) return undefined
      return one.kind === 'correct' ? ada.facts.correct(id, { object: one.object }) : ada.facts.retract(id)
    }
    case 'merge':
      return ada.facts.merge('Bob', 'Robert')
    case 'instruct':
      return ada.instructions.add(one.text)
    case 'editInstruction': {
      const id = (await ada.instructions.list())[one.at]?.id
      if (id === undefined) return undefined
      return one.withdraws ? ada.instructions.withdraw(id) : ada.instructions.edit(id, 'Answer in two sentences.')
    }
    case 'bank': {
      const id = (await ada.bank.entries())[one.at]?.id
      if (id === undefined) return undefined
      if (one.does === 'pin') return ada.bank.pin(id)
      return one.does === 'correct' ? ada.bank.correct(id, 'A person wrote this line.') : ada.bank.delete(id)
    }
    case 'gist':
      return ada.gists.write(one.session, one.text)
    case 'rename':
      return ada.sessions.ensure(one.session, { name: `About ${one.session}`, share: one.share, metadata: { by: 'hand' } })
  }
}

async function told(ada: UserMemory, memory: Memory, clock: ManualClock, steps: readonly Step[]): Promise<void> {
  for (const one of steps) {
    clock.advance(60_000)
    try {
      await take(ada, memory, clock, one)
    } catch (error) {
      // A step may name what is not there.
      if (!VarveError.is(error)) throw error
    }
  }
}

const layers = { bank: true, documents: true, notes: true }

function open(clock: ManualClock): Promise<Memory> {
  return openMemory({
    store: 'memory:',
    upkeep: 'manual',
    logger: { warn: () => undefined },
    embeddingModel: false,
    languageModel: false,
    layers,
    clock,
  })
}

test('an imported memory gives equal answers, a second import changes nothing, and upkeep finds nothing to do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
      const clock = new ManualClock()
      await using memory = await open(clock)
      const ada = memory.for({ project: 'pier', user: 'ada' })
      await told(ada, memory, clock, steps)
      await memory.upkeep.run({ all: true })
      const lines = await Array.fromAsync(ada.export({ signingKey }))
      await using other = await open(clock)
      const copy = other.for({ project: 'pier', user: 'ada' })
      const first = await copy.import(lines, { trust })
      expect(first).toMatchObject({ state: 'applied', trust: 'key', duplicates: {}, kept: {}, leftOut: {}, forgotten: 0 })
      const before = await everythingOf(ada, clock)
      expect(differences(before, await everythingOf(copy, clock))).toEqual([])
      const second = await copy.import(lines, { trust })
      expect({ ...second.stored, owner: 0, forgotten: 0, name: 0 }).toEqual({ owner: 0, forgotten: 0, name: 0 })
      expect(differences(before, await everythingOf(copy, clock))).toEqual([])
      expect(await other.upkeep.run({ all: true })).toMatchObject({ distilled: 0, digested: 0, documented: 0, noted: 0 })
      expect(differences(before, await everythingOf(copy, clock))).toEqual([])
    }),
    { numRuns: runs(60) },
  )
}, 240_000)

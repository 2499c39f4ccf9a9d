import { describe, expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import type { ScriptedRequest } from '../../packages/varve/src/testing/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { hour, talk } from '../fixtures/distil/talk.ts'
import { copied, isDigest, isForSharing, isFusion } from '../fixtures/distil/writer.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore } from '../fixtures/memory/open.ts'

/** A step of distilling, told by the request to the model. */
type Step = (request: ScriptedRequest, secret: string) => boolean

const isSpan = (request: ScriptedRequest): boolean => !isFusion(request) && !isDigest(request)
const steps: readonly (readonly [name: string, step: Step])[] = [
  ['its part is read', (request, secret) => isSpan(request) && !isForSharing(request) && request.prompt.includes(secret)],
  ['its part is read for the project', (request, secret) => isSpan(request) && isForSharing(request) && request.prompt.includes(secret)],
  ['the next part is read', (request) => isSpan(request) && request.prompt.includes('rest-41')],
  ['parts are fused', (request, secret) => isFusion(request) && request.prompt.includes(secret)],
  ['a digest is made', (request, secret) => isDigest(request) && request.prompt.includes(secret)],
]

interface Case {
  readonly memory: Memory
  readonly project: string
  readonly user: UserMemory
  /** The message that holds the secret, and the one after it. */
  readonly ids: readonly string[]
}

/** Gives every answer about a user, as text. */
async function answersOf({ memory, project, user }: Case, words: string): Promise<string> {
  const acme = memory.project(project)
  return JSON.stringify([
    await user.sessions.list(),
    (await user.sessions.list()).length > 0 ? await user.gists.list() : [],
    await user.bank.entries(),
    await acme.bank.entries(),
    await user.bank.render(),
    await acme.bank.render(),
    await user.recall(words, { kinds: ['message', 'gist', 'bank'], limit: 50 }),
    await user.gists.recall(words),
    await user.bank.search(words),
    await acme.bank.search(words),
    (await user.context({ query: words, maxTokens: 8_000 })).text,
  ])
}

/**
 * Reads a long talk with a secret and some short ones. Does something at a step, before the model answers. Then reads
 * everything that is due.
 */
async function during(
  action: (given: Case) => Promise<unknown>,
  check: (given: Case, secret: string, store: string, step: string) => Promise<void>,
  which = steps,
): Promise<void> {
  const store = newStore()
  const { memory, clock, play } = await distilling({ store, modelWindow: 32_768 })
  for (const [place, [name, step]] of which.entries()) {
    const project = `project-${place}`
    const user = memory.for({ project, user: 'ada' })
    const secret = canary()
    await memory.project(project).settings.set({ bank: { maxTokens: 200 } })
    await memory.project(project).bank.setSharing(true)
    clock.advance(1_000)
    const { messages } = await user.append('long', [
      { role: 'user', content: `The word of the barge is ${secret}.` },
      ...talk('rest', 44, 2),
    ])
    for (let at = 0; at < 10; at += 1) await user.append(`short-${at}`, talk(`tern${at}`, 2))
    clock.advance(30 * hour)
    const given: Case = { memory, project, user, ids: messages.slice(0, 2).map(({ id }) => id) }
    let met = 0
    play(async (request) => {
      if (step(request, secret) && (met += 1) === 1) await action(given)
      return copied(request)
    })
    for (let turn = 0; turn < 3; turn += 1) {
      await memory.upkeep.run({ maxSeconds: 20 })
      clock.advance(2 * hour)
    }
    expect(met, name).toBeGreaterThan(0)
    await check(given, secret, store, name)
  }
}

const erasures: readonly (readonly [name: string, action: (given: Case) => Promise<unknown>, staysText: string | undefined])[] = [
  ['forget', ({ user, ids: [id = ''] }) => user.forget({ messages: [id] }), 'rest-2 '],
  ['replace', ({ user, ids: [id = ''] }) => user.replace(id, 'The word of the barge is kept by Mira.'), 'kept by Mira'],
  ['sessions.delete', ({ user }) => user.sessions.delete('long'), undefined],
  ['forget all', ({ user }) => user.forget({ all: true }), undefined],
]

describe('what is erased while it is distilled comes up in no layer, and what is not is written:', () => {
  // requirement: P3.3
  test.each(erasures)('%s', async (name, action, stays) => {
    await during(action, async (given, secret, store, step) => {
      const said = `${name} while ${step}`
      expect(await answersOf(given, `word barge ${secret}`), said).not.toContain(secret.slice(2, 14))
      expect(tracesOf([secret], store), said).toEqual([])
      if (name !== 'forget all') expect((await given.user.gists.list()).length, said).toBe(stays === undefined ? 10 : 11)
      if (stays !== undefined) {
        expect((await given.user.gists.get('long'))?.text, said).toContain(stays)
        expect(JSON.stringify(await given.user.bank.entries()), said).toContain(stays)
        expect(JSON.stringify(await given.memory.project(given.project).bank.entries()), said).toContain(stays)
      }
      expect(await given.memory.upkeep.status(), said).toMatchObject({ backlog: { gists: 0, bank: 0, shared: 0 }, failures: [] })
    })
  })
})

describe('what a person does while it is distilled stands:', () => {
  test('gists.write', async () => {
    await during(
      ({ user }) => user.gists.write('long', 'Mira keeps the word.'),
      async ({ user }, _, __, step) => {
        expect(await user.gists.get('long'), step).toMatchObject({
          text: expect.stringMatching(/^Mira keeps the word\./),
          writer: 'person',
        })
        expect(await user.gists.list(), step).toHaveLength(11)
      },
    )
  })

  test('setSharing(false): nothing is shared, and what is private is written', async () => {
    await during(
      ({ memory, project }) => memory.project(project).bank.setSharing(false),
      async ({ memory, project, user }, secret, _, step) => {
        expect(await memory.project(project).bank.entries(), step).toEqual([])
        expect((await memory.project(project).bank.search('word barge')).hits, step).toEqual([])
        expect(JSON.stringify(await user.bank.entries({ granularity: 'conversation' })), step).toContain(secret)
      },
    )
  })

  test('sessions.share(id, false): that session shares nothing, the others do', async () => {
    await during(
      ({ user }) => user.sessions.share('long', false),
      async ({ memory, project, user }, secret, _, step) => {
        const shared = JSON.stringify(await memory.project(project).bank.entries())
        expect(shared, step).not.toContain(secret)
        expect(shared, step).not.toContain('rest-')
        expect(shared, step).toContain('tern3-1')
        expect(JSON.stringify(await user.bank.entries({ granularity: 'conversation' })), step).toContain(secret)
      },
    )
  })

  test('bank.clear while a digest is made: upkeep brings nothing back', async () => {
    await during(
      ({ user }) => user.bank.clear(),
      async ({ user }, _, __, step) => {
        expect(await user.bank.entries(), step).toEqual([])
        expect(await user.gists.list(), step).toHaveLength(11)
      },
      steps.slice(4),
    )
  })

  // The parts of a session whose leaf is not placed yet stay: the leaf is made of them right after.
  test('bank.clear between a session’s parts and its leaf: what was read is not brought back', async () => {
    await during(
      ({ user }) => user.bank.clear(),
      async ({ user }, _, __, step) => {
        expect(
          (await user.bank.entries({ granularity: 'conversation' })).filter(({ session }) => session === 'long'),
          step,
        ).toEqual([])
      },
      steps.slice(3, 4),
    )
  })
})

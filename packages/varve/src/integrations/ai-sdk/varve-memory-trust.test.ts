import { once } from 'node:events'
import { generateText, type LanguageModelMiddleware, type ModelMessage, streamText, wrapLanguageModel } from 'ai'
import type { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { answering, promptOf, streaming, told } from '../../../../../test/fixtures/ai-sdk/scripted-models.ts'
import { families } from '../../../../../test/fixtures/hostile/attack.ts'
import { hostileTexts } from '../../../../../test/fixtures/hostile/attacks.ts'
import { heldBack } from '../../../../../test/fixtures/hostile/check.ts'
import { plant } from '../../../../../test/fixtures/hostile/planted.ts'
import { openMemory } from '../../memory/memory.ts'
import { sharedMemory } from '../../../../../test/fixtures/memory/shared.ts'
import type { TurnMemory } from '../../turns/turn-memory.ts'
import { varveMemory } from './varve-memory.ts'

const shared = sharedMemory({ embeddingModel: false })
const never = () => new Promise<never>(() => undefined)
const say = (role: 'user' | 'assistant', content: string): ModelMessage => ({ role, content })
let users = 0

/** Gives the remembered text of a message that has one fence, before the person's words. */
function insideFence(content: string): string {
  const [, inside] = /^<memory mark="([\da-f]{16})">\n([\s\S]*)\n<\/memory mark="\1">\n\nkiosk/.exec(content)?.slice(1) ?? []
  expect(inside, content).toBeDefined()
  return inside ?? ''
}

function someone() {
  users += 1
  const scope = { project: `trust ${users}`, user: `ada ${users}`, session: 'chat' }
  return { scope, ada: shared.memory.for({ project: scope.project, user: scope.user }) }
}

describe('whose memory', () => {
  test('of two users who talk over one wrapped model at once, none reads or gets the other’s', async () => {
    const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000 })
    const model = answering((call) => `You said: ${promptOf(call).split('\n').at(-1) ?? ''}`)
    const wrapped = wrapLanguageModel({ model, middleware: varve.middleware })
    const [ada, bob] = ['ada', 'bob'].map((user) => ({ project: 'both', user, session: 'chat' }))
    const all = [ada, bob].flatMap((scope) =>
      Array.from({ length: 10 }, (_, at) =>
        generateText({
          model: wrapped,
          prompt: `${scope?.user} hides key ${at} under the kiosk's ${scope?.user} mat`,
          providerOptions: { varve: { ...scope, session: `chat ${at}` } },
        }),
      ),
    )
    await Promise.all(all)
    await varve.settled()
    for (const [own, other] of [
      ['ada', 'bob'],
      ['bob', 'ada'],
    ]) {
      const handle = shared.memory.for({ project: 'both', user: own ?? '' })
      expect((await handle.sessions.list()).length).toBe(10)
      await generateText({
        model: wrapped,
        prompt: 'Who hides which key under the kiosk mat?',
        providerOptions: { varve: { project: 'both', user: own ?? '', session: 'last' } },
      })
      const read = promptOf(model.doGenerateCalls.at(-1))
      expect(read).toContain(`${own} hides key`)
      expect(read).not.toContain(`${other} hides`)
    }
  })

  test.each([
    ['a user that is undefined', { user: undefined, session: 's' }, /user must be a string/],
    ['a blank user', { user: ' ', session: 's' }, /user must not be blank/],
    ['an unknown field', { userId: 'ada', session: 's' }, /userId is unknown/],
    ['no session', { user: 'ada' }, /session must name the conversation/],
    ['a session that is none', { user: 'ada', session: 7 }, /session must be a string/],
    ['a switch that is none', { user: 'ada', session: 's', memory: 'yes' }, /memory must be 'on'/],
  ])('%s is refused before the model is called', async (_, varveOptions, message) => {
    const varve = varveMemory({ memory: shared.memory })
    const model = answering(() => 'never')
    const wrapped = wrapLanguageModel({ model, middleware: varve.middleware })
    // As plain JavaScript would give it.
    const providerOptions = Object({ varve: varveOptions })
    await expect(generateText({ model: wrapped, prompt: 'Hello.', providerOptions })).rejects.toThrow(message)
    expect(model.doGenerateCalls).toEqual([])
  })

  test('a call adds to the scope that a model is bound to, and changes no name in it', async () => {
    const { scope, ada } = someone()
    const varve = varveMemory({ memory: shared.memory })
    const { session: _, ...person } = scope
    const model = varve.model(
      answering(() => 'Hi.'),
      { scope: person },
    )
    const ask = (given: Record<string, string>) => generateText({ model, prompt: 'Hello.', providerOptions: { varve: given } })
    await ask({ session: 'named by the call' })
    await varve.settled()
    expect(await ada.messages('named by the call')).toHaveLength(2)
    await expect(ask({ session: 's', user: 'eve' })).rejects.toThrow(/user is another than the model is bound to/)
    expect(() =>
      varve.model(
        answering(() => ''),
        { scope: Object({ user: undefined }) },
      ),
    ).toThrow(/user must be a string/)
    expect(() => varve.model(Object('openai/gpt-5'), { scope })).toThrow(/must be a language model object/)
  })

  test('a call without a scope goes without memory, with one warning', async () => {
    const varve = varveMemory({ memory: shared.memory })
    const model = answering(() => 'Hi.')
    const wrapped = wrapLanguageModel({ model, middleware: varve.middleware })
    const warned = once(process, 'warning')
    expect((await generateText({ model: wrapped, prompt: 'Hello.' })).text).toBe('Hi.')
    expect(String((await warned)[0])).toContain('a call without providerOptions.varve goes without memory')
    expect(promptOf(model.doGenerateCalls[0])).toBe('user: Hello.')
  })

  test.each([
    ['read', true, 0],
    ['write', false, 2],
    ['off', false, 0],
  ] as const)('memory: %s', async (memory, isRead, stored) => {
    const { scope, ada } = someone()
    await ada.append('past', say('user', 'The kiosk sells soup.'))
    const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000 })
    const model = answering(() => 'Yes.')
    await generateText({ model: varve.model(model, { scope: { ...scope, memory } }), prompt: 'Does the kiosk sell soup?' })
    await varve.settled()
    expect(promptOf(model.doGenerateCalls[0]).includes('sells soup')).toBe(isRead)
    expect(await ada.messages('chat')).toHaveLength(stored)
  })
})

describe('memory in trouble', () => {
  /** A user's memory of which one call never answers. */
  function hanging(name: 'context' | 'append') {
    const { scope, ada } = someone()
    const handle: TurnMemory = { context: ada.context.bind(ada), append: ada.append.bind(ada), contexts: ada.contexts, [name]: never }
    return { scope, ada, memory: { for: () => handle } }
  }

  test('that is late costs a turn its memory, with one failure told; the turn is stored', async () => {
    const { scope, ada, memory } = hanging('context')
    const told: string[] = []
    const varve = varveMemory({ memory, deadlineMs: 20, onFailed: (...why) => told.push(why.join(' ')) })
    const model = answering(() => 'At ten.')
    await generateText({ model: varve.model(model, { scope }), prompt: 'When?' })
    await varve.settled()
    expect(promptOf(model.doGenerateCalls[0])).toBe('user: When?')
    expect(told).toEqual(['context memory-late'])
    expect(await ada.messages('chat')).toHaveLength(2)
  })

  test('that never stores holds up no piece of an answer', async () => {
    const { scope, memory } = hanging('append')
    const varve = varveMemory({ memory, deadlineMs: 20_000 })
    const model = varve.model(streaming(told('At ', 'ten.')), { scope })
    expect(await streamText({ model, prompt: 'When?' }).text).toBe('At ten.')
  })

  test('that is closed costs nothing but itself', async () => {
    const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, languageModel: false })
    const told: string[] = []
    const varve = varveMemory({ memory, onFailed: (...why) => told.push(why.join(' ')) })
    await memory.close()
    const model = varve.model(
      answering(() => 'At ten.'),
      { scope: { user: 'ada', session: 's' } },
    )
    expect((await generateText({ model, prompt: 'When?' })).text).toBe('At ten.')
    await varve.settled()
    expect(told).toEqual(['context memory-failed', 'append MEMORY_CLOSED', 'append MEMORY_CLOSED'])
  })

  test('waitUntil gets the work of a turn, which ends when the turn is stored', async () => {
    const { scope, ada } = someone()
    const work: Promise<unknown>[] = []
    const varve = varveMemory({ memory: shared.memory, waitUntil: (one) => void work.push(one) })
    const result = streamText({ model: varve.model(streaming(told('At ', 'ten.')), { scope }), prompt: 'When?' })
    await result.text
    await Promise.all(work)
    expect((await ada.messages('chat')).map(({ content }) => content)).toEqual(['When?', 'At ten.'])
    const failing = answering(() => {
      throw new TypeError('no provider')
    })
    await expect(generateText({ model: varve.model(failing, { scope }), prompt: 'Again?', maxRetries: 0 })).rejects.toThrow('no provider')
    await Promise.all(work)
    expect(await ada.messages('chat')).toHaveLength(3)
  })
})

describe('remembered text', () => {
  test('that a model repeats is never stored as new: a hundred rounds leave one original', async () => {
    const { scope, ada } = someone()
    await ada.append(
      'past',
      say('user', 'The zeppelin museum in Friedrichshafen closes its upper gallery every second Thursday of November.'),
    )
    const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000 })
    const model = answering((call) =>
      promptOf(call)
        .replace(/^user: /, '')
        .replace(/\n\nRound.*$/, ''),
    )
    for (let round = 0; round < 100; round += 1) {
      const wrapped = varve.model(model, { scope: { ...scope, session: `r${round}` } })
      await generateText({ model: wrapped, prompt: `Round ${round}: when does the zeppelin gallery close?` })
      await varve.settled()
    }
    const { hits } = await ada.recall('Friedrichshafen museum', { limit: 50 })
    expect(hits.map(({ session }) => session)).toEqual(['past'])
    for (const call of model.doGenerateCalls) expect(promptOf(call).split('upper gallery').length).toBeLessThanOrEqual(2)
    const [asked, reply] = await ada.messages('r99')
    expect(asked?.content).toBe('Round 99: when does the zeppelin gallery close?')
    expect(reply?.recalled?.length).toBeGreaterThan(0)
  }, 60_000)

  test.each(families)('that is hostile stays quoted within the fence: %s', async (family) => {
    for (const hostile of hostileTexts.filter((one) => one.family === family).slice(0, 6)) {
      const { scope, ada } = someone()
      await plant(
        ada,
        hostile.isName === true ? { text: 'hello kiosk ferry', name: hostile.text } : { text: `kiosk ferry ${hostile.text}` },
      )
      const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000 })
      const model = answering(() => 'ok')
      const instructions = 'Be brief.'
      await generateText({ model: varve.model(model, { scope: { ...scope, memory: 'read' } }), instructions, prompt: 'kiosk ferry' })
      const [system, asked, ...others] = model.doGenerateCalls[0]?.prompt ?? []
      expect([system?.content, asked?.role, others.length]).toEqual(['Be brief.', 'user', 0])
      const text = promptOf(model.doGenerateCalls[0]).replace('system: Be brief.\nuser: ', '')
      expect(heldBack(insideFence(text), hostile), hostile.text.slice(0, 80)).toEqual([])
    }
  })

  const textsOf = (model: MockLanguageModelV4, at: number): string => JSON.stringify(model.doGenerateCalls[at]?.prompt)

  test('over twenty turns, all bytes before it are the same from turn to turn', async () => {
    const { scope, ada } = someone()
    await ada.instructions.add('Answer in metres.')
    await ada.blocks.set('habits', 'tea at the kiosk')
    const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000 })
    const model = answering((_, number) => `Answer ${number}.`)
    const messages: ModelMessage[] = []
    for (let at = 0; at < 20; at += 1) {
      await ada.append(`past ${at}`, say('user', `On day ${at} the kiosk sold tea and cake number ${at}.`))
      messages.push(say('user', `What did the kiosk sell on day ${at}?`))
      const { text } = await generateText({ model: varve.model(model, { scope }), instructions: 'Be brief.', messages })
      messages.push(say('assistant', text))
      await varve.settled()
    }
    for (let at = 0; at < 20; at += 1) {
      const text = textsOf(model, at)
      expect(text.match(/<memory mark/g)).toHaveLength(1)
      const before = text.slice(0, text.indexOf('<memory'))
      expect(before.match(/"role"/g)).toHaveLength(2 * at + 2)
      if (at < 19) expect(textsOf(model, at + 1).startsWith(before)).toBe(true)
    }
  })

  const mark = { anthropic: { cacheControl: { type: 'ephemeral' } } }

  test.each([
    [
      'a part',
      [
        { type: 'text' as const, text: 'Rules.', providerOptions: mark },
        { type: 'text' as const, text: 'A soup?' },
      ],
      {},
      ['Rules.', '<memory', 'A soup?'],
    ],
    ['a message', [{ type: 'text' as const, text: 'A soup?' }], mark, ['A soup?', '<memory']],
    [
      'nothing',
      [
        { type: 'text' as const, text: 'A' },
        { type: 'text' as const, text: 'soup?' },
      ],
      {},
      ['<memory', 'A', 'soup?'],
    ],
  ])('stands behind what the host marks for a cache: %s', async (_, content, providerOptions, order) => {
    const { scope, ada } = someone()
    await ada.append('past', say('user', 'The kiosk sells a soup.'))
    const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000 })
    const model = answering(() => 'Yes.')
    await generateText({ model: varve.model(model, { scope }), messages: [{ role: 'user', content, providerOptions }] })
    const texts = (model.doGenerateCalls[0]?.prompt ?? []).flatMap(({ content: parts }) =>
      (typeof parts === 'string' ? [] : parts).map((part) =>
        'text' in part && typeof part.text === 'string' ? part.text.replace(/^(<memory)[\s\S]*/, '$1') : '',
      ),
    )
    expect(texts).toEqual(order)
  })

  test('a middleware before it, which changes the prompt, changes what is stored; one behind it does not', async () => {
    const { scope, ada } = someone()
    const varve = varveMemory({ memory: shared.memory })
    const replaced = (from: string, to: string): LanguageModelMiddleware => ({
      transformParams: async ({ params }) => ({ ...params, prompt: JSON.parse(JSON.stringify(params.prompt).replaceAll(from, to)) }),
    })
    const middleware = [replaced('4711', '[number]'), varve.middleware, replaced('kiosk', 'shop')]
    const model = answering(() => 'Yes.')
    await generateText({ model: wrapLanguageModel({ model, middleware }), prompt: 'Is 4711 the kiosk?', providerOptions: { varve: scope } })
    await varve.settled()
    expect((await ada.messages('chat')).map(({ content }) => content)).toEqual(['Is [number] the kiosk?', 'Yes.'])
    expect(promptOf(model.doGenerateCalls[0])).toBe('user: Is [number] the shop?')
  })
})

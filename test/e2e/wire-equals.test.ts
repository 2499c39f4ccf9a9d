import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../packages/varve/src/client/index.ts'
import { specs } from '../../packages/varve/src/client/call-table.ts'
import { type Memory, VarveError } from '../../packages/varve/src/index.ts'
import { handles } from '../../packages/varve/src/operations/all.ts'
import { handlesOf } from '../../scripts/client-calls.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { callsOfStore, callsOfUser, operationNames } from '../fixtures/memory/every-call.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { asLibrary } from '../fixtures/wire/open-memory.ts'
import { served } from '../fixtures/wire/served.ts'

const minute = 60_000

/** Opens a memory with a talk, and items of each layer. */
async function filled(clock: ManualClock): Promise<Memory> {
  const memory = await openForTest({ clock, layers: { bank: true, documents: true, notes: true }, languageModel: false })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('talk', [
    { role: 'user', content: 'I moved to Hven. The ferry leaves at nine. Always name the pier.', id: 'm1' },
    { role: 'assistant', content: 'Noted.' },
  ])
  clock.advance(20 * minute)
  await memory.upkeep.run({ all: true })
  await ada.blocks.set('habits', 'tea')
  await ada.documents.edit('Ferry', '- It leaves at nine.')
  await ada.facts.add({ subject: 'I', predicate: 'likes', object: 'tea' })
  await ada.notes.edit('talk', '# Talk\n\n- The ferry leaves at nine.')
  await memory.for({ project: 'acme', user: 'bo' }).append('other', { role: 'user', content: 'Mine.' })
  return memory
}

/** Gives a memory and a client of another one that was filled alike, at the same time. */
async function both(): Promise<readonly [Memory, Memory]> {
  const [embedded, far] = [await filled(new ManualClock()), await filled(new ManualClock())]
  const { url, close } = await served(far)
  const remote = connect({ url, logger: { warn: () => undefined } })
  onTestFinished(async () => {
    await remote.close()
    await close(1_000)
  })
  return [embedded, asLibrary(remote)]
}

/** What a call gave, without ids, marks, signatures and durations, which differ from store to store. */
async function outcome(call: () => Promise<unknown>): Promise<string> {
  return (
    JSON.stringify(await toldBy(call), undefined, 1)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
      // The version of an instruction is made of ids.
      .replaceAll(/(?<="version": ")[\w-]{16}(?=")/g, 'version')
      .replaceAll(/[0-9a-f]{16,}/g, 'hex')
      .replaceAll(/(?<!\w)[\w-]{22,}/g, 'signature')
      .replaceAll(/(?<="question": ")[\w-]{11}(?=")/g, 'question')
      .replaceAll(/(?<="tags\\": *\\")[^"]*/g, 'tags')
      // What was shown is noted beside the calls: a receipt may come before a note or after it.
      .replaceAll(/"context\\?": ?\d+/g, 'contexts')
      // The tokens of a context are those of its mark too.
      .replaceAll(/"(?:ms|cpuMs|bytes|peak\w*|tokens)": [\d.]+/g, 'number')
  )
}

async function toldBy(call: () => Promise<unknown>): Promise<unknown> {
  try {
    const answer = await call()
    if (Array.isArray(answer)) return { items: answer, ...answer }
    const isHandle: boolean = typeof Reflect.get(Object(answer), 'export') === 'function'
    return isHandle ? { handle: true } : { answer }
  } catch (error) {
    if (!VarveError.is(error)) throw error
    const { isRetryable, name, code, message } = error
    const told = Object.entries({ ...error, isRetryable, name, code, message })
    return Object.fromEntries(told.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }
}

test('each call of the client gives what the library gives: the same answers, the same errors, the same facts', async () => {
  const [embedded, remote] = await both()
  const idsOf = async (memory: Memory): Promise<readonly string[]> => {
    const ada = memory.for({ project: 'acme', user: 'ada' })
    const [message] = await ada.messages('talk')
    const [fact] = await ada.facts.list()
    const [instruction] = await ada.instructions.list()
    const [entry] = await ada.bank.entries()
    return [message?.id ?? '', fact?.id ?? '', instruction?.id ?? '', entry?.id ?? '', 'no such id']
  }
  const ids = [await idsOf(embedded), await idsOf(remote)] as const
  const differing: string[] = []
  const compare = async (name: string, one: (() => Promise<unknown>) | undefined, other: (() => Promise<unknown>) | undefined) => {
    if (one === undefined || other === undefined) return
    const [here, there] = [await outcome(one), await outcome(other)]
    if (here !== there) differing.push(`${name}: ${firstDifference(here, there)}`)
  }
  for (const at of ids[0].keys()) {
    const of = (memory: Memory, id = '') =>
      callsOfUser(memory.for({ project: 'acme', user: 'ada' }), { id, question: 'when does the ferry leave?' })
    const [here, there] = [of(embedded, ids[0][at]), of(remote, ids[1][at])]
    for (const name of operationNames('user')) if (name !== 'forget') await compare(`${name} ${at}`, here[name], there[name])
  }
  const [here, there] = [callsOfStore(embedded), callsOfStore(remote)]
  for (const name of [...operationNames('project'), ...operationNames('memory')])
    if (name !== 'doctor' && name !== 'projects.delete' && name !== 'backup') await compare(name, here[name], there[name])
  for (const name of ['doctor', 'projects.delete']) await compare(name, here[name], there[name])
  expect(differing.join('\n\n')).toBe('')
}, 60_000)

/** The first line that differs, with those before it. */
function firstDifference(here: string, there: string): string {
  const [mine, other] = [here.split('\n'), there.split('\n')]
  const at = mine.findIndex((line, place) => line !== other[place])
  return `${mine.slice(Math.max(0, at - 5), at + 1).join('\n')}\nover the wire: ${other[at] ?? 'nothing'}`
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number => (one.name < other.name ? -1 : 1)

test('the client has every call of every handle as its operation declares it, and none that the library has not', () => {
  for (const owner of ['shared', 'user', 'project', 'memory'] as const) {
    const told = specs[owner].map(({ path, exact: _, ...spec }) => ({ ...spec, path: path.replaceAll(/:(\w+)/g, '{$1}') }))
    const declared = handlesOf(owner).flatMap(({ property, calls }) => calls.map((call) => ({ property, ...call })))
    expect(told.toSorted(byName)).toEqual(declared.toSorted(byName))
    const exact = handlesOf(owner).map(({ property, exact: fields }) => [property, fields.join()] as const)
    expect(new Map(specs[owner].map(({ property, exact: fields }) => [property, fields.join()]))).toEqual(new Map(exact))
  }
  const routed = handles.flatMap(({ operations }) => Object.values(operations)).filter(({ route }) => route !== null)
  expect(Object.values(specs).flat()).toHaveLength(routed.length)
})

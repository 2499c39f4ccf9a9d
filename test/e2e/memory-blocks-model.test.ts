import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type UserMemory, VarveError } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const shared = sharedMemory({ embeddingModel: false })

/** The model of a scope of blocks: an array in order. */
interface ModelBlock {
  readonly name: string
  text: string
  maxChars: number
  revision: number
  readonly said: Map<number, string>
}

const name = fc.constantFrom('a', 'b', 'c', 'd')
const text = fc
  .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('x', 'é', '🪵', '\n', 'word ') })
  .filter((one) => one.trim() !== '')
const session = fc.constantFrom(undefined, 'talk')

function write(model: ModelBlock[], named: string, next: string, maxChars: number | undefined): void {
  const old = model.find((block) => block.name === named)
  const most = maxChars ?? old?.maxChars ?? 5_000
  if (next.length > most) throw new RangeError('too long')
  const block = old ?? { name: named, text: '', maxChars: most, revision: 0, said: new Map() }
  if (old === undefined) model.push(block)
  block.maxChars = most
  if (block.text === next) return
  block.text = next
  block.revision += 1
  block.said.set(block.revision, next)
}

function find(model: ModelBlock[], named: string): ModelBlock {
  const block = model.find((one) => one.name === named)
  if (block === undefined) throw new RangeError('not there')
  return block
}

const steps = fc.oneof(
  fc
    .record({ name, text, maxChars: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }), session })
    .map((it) => ({
      session: it.session,
      told: `set ${it.name}`,
      model: (model: ModelBlock[]) => write(model, it.name, it.text, it.maxChars),
      real: (ada: UserMemory, of: object) =>
        ada.blocks.set(it.name, it.text, { ...of, ...(it.maxChars === undefined ? {} : { maxChars: it.maxChars }) }),
    })),
  fc.record({ name, text, separator: fc.constantFrom('\n', '', ' - '), session }).map((it) => ({
    session: it.session,
    told: `append ${it.name}`,
    model: (model: ModelBlock[]) => {
      const old = model.find((block) => block.name === it.name)
      write(model, it.name, old === undefined ? it.text : old.text + it.separator + it.text, undefined)
    },
    real: (ada: UserMemory, of: object) => ada.blocks.append(it.name, it.text, { ...of, separator: it.separator }),
  })),
  fc
    .record({ name, session })
    .map((it) => ({
      session: it.session,
      told: `delete ${it.name}`,
      model: (model: ModelBlock[]) => void model.splice(model.indexOf(find(model, it.name)), 1),
      real: (ada: UserMemory, of: object) => ada.blocks.delete(it.name, of),
    })),
  fc.record({ name, revision: fc.integer({ min: 1, max: 6 }), session }).map((it) => ({
    session: it.session,
    told: `restore ${it.name} ${it.revision}`,
    model: (model: ModelBlock[]) => {
      const said = find(model, it.name).said.get(it.revision)
      if (said === undefined) throw new RangeError('not there')
      write(model, it.name, said, undefined)
    },
    real: (ada: UserMemory, of: object) => ada.blocks.restore(it.name, it.revision, of),
  })),
  fc.record({ names: fc.array(name, { maxLength: 4 }), session }).map((it) => ({
    session: it.session,
    told: `reorder ${it.names.join(' ')}`,
    model: (model: ModelBlock[]) => {
      if (new Set(it.names).size < it.names.length) throw new RangeError('twice')
      const first = it.names.map((named) => find(model, named))
      model.splice(0, model.length, ...first, ...model.filter((block) => !first.includes(block)))
    },
    real: (ada: UserMemory, of: object) => ada.blocks.reorder(it.names, of),
  })),
)

async function isRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return false
  } catch (error) {
    if (VarveError.is(error) || error instanceof RangeError) return true
    throw error
  }
}

test('whatever is done in whatever order, blocks are what a plain array would be', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 30 }), async (done) => {
      const ada = shared.user()
      const models: Record<string, ModelBlock[]> = { user: [], talk: [] }
      for (const { session: of, told, model, real } of done) {
        const scope = of === undefined ? {} : { session: of }
        const refused = await isRefused(async () => model(models[of ?? 'user'] ?? []))
        expect(await isRefused(() => real(ada, scope)), told).toBe(refused)
      }
      for (const [of, scope] of [
        ['user', {}],
        ['talk', { session: 'talk' }],
      ] as const) {
        const expected = models[of] ?? []
        expect(
          (await ada.blocks.list(scope)).map(({ name: named, text: says, maxChars, revision, position }) => ({
            named,
            says,
            maxChars,
            revision,
            position,
          })),
        ).toEqual(
          expected.map((block, place) => ({
            named: block.name,
            says: block.text,
            maxChars: block.maxChars,
            revision: block.revision,
            position: place + 1,
          })),
        )
        for (const block of expected) {
          expect((await ada.blocks.revisions(block.name, scope)).map(({ revision, text: said }) => [revision, said])).toEqual(
            [...block.said].toReversed(),
          )
        }
      }
      const all = [...(models['user'] ?? []), ...(models['talk'] ?? [])]
      expect((await ada.previewForget({ all: true }))['block'] ?? 0).toBe(all.length)
    }),
    { numRuns: runs(200) },
  )
})

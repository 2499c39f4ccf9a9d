import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDocument } from '../../packages/varve/src/documents/read-documents.ts'
import { editDocument, restoreDocument } from '../../packages/varve/src/documents/write-documents.ts'
import { NotFound } from '../../packages/varve/src/index.ts'
import { readNotes } from '../../packages/varve/src/notes/read-notes.ts'
import { replaceNotes, restoreNotes } from '../../packages/varve/src/notes/write-notes.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { pageIdsOf, pageKinds, pagesAt } from '../../packages/varve/src/storage/pages/pages.ts'
import { findPartition } from '../../packages/varve/src/storage/partitions.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { monday } from '../../packages/varve/src/testing/store/check.ts'
import { forgetting, note, replacing, tell, workAllIn } from '../fixtures/pages/engine.ts'
import { pageProblems, pageRows, pageTexts } from '../fixtures/pages/inspect.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const numRuns = runs(60)
const ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
const sessions = ['monday', 'tuesday', 'friday'].map((name) => sessionName(name))
const nouns = ['bakery', 'smithy', 'ferry']

interface Step {
  readonly kind:
    | 'tell'
    | 'workIn'
    | 'edit'
    | 'describe'
    | 'agent'
    | 'restore'
    | 'note'
    | 'editNotes'
    | 'restoreNotes'
    | 'forget'
    | 'forgetSession'
    | 'replace'
    | 'repeat'
  readonly session: number
  readonly at: number
  readonly many: number
  readonly isModel: boolean
}

/** A store, with the knowledge of a reader who saw all of it: the words that living messages said. */
class World {
  readonly connection: Connection = openConnection(':memory:')
  readonly alive = new Map<string, { readonly word: string; readonly session: number }>()
  #words = 0

  constructor() {
    migrate(this.connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  }

  [Symbol.dispose](): void {
    this.connection.close()
  }

  run<Result>(program: Program<Result>): Result {
    this.connection.exec('BEGIN IMMEDIATE')
    try {
      const result = execute(this.connection, program)
      this.connection.exec('COMMIT')
      return result
    } catch (error) {
      this.connection.exec('ROLLBACK')
      throw error
    }
  }

  word(): string {
    return `zq${(this.#words += 1)}q`
  }

  told(at: number, word: string): { subject: string; fact: string } {
    const subject = at % 5 === 4 ? word : (nouns[at % nouns.length] ?? '')
    return { subject, fact: `Our ${subject} keeps ${word}` }
  }

  tell({ session, at, many }: Step): void {
    const words = Array.from({ length: 1 + (many % 3) }, () => this.word())
    const ids = this.run(
      tell(
        ada,
        sessions[session] ?? '',
        words.map((word, place) => this.told(at + place, word)),
      ),
    )
    for (const [place, id] of ids.entries()) this.alive.set(id, { word: words[place] ?? '', session })
  }

  /** Gives the standing content of a document, and its revision. */
  document(at: number): { name: string; content: string; revision: number } | undefined {
    const owner = this.run(findPartition(ada))
    const stored =
      owner === undefined
        ? []
        : this.run(
            pagesAt(
              owner.id,
              this.run(pageIdsOf(owner.id)).map(({ id }) => id),
            ),
          )
    const pages = stored.filter(({ kind }) => kind === pageKinds.document).toSorted((a, b) => a.id - b.id)
    return pages[at % Math.max(1, pages.length)]
  }

  get words(): Set<string> {
    return new Set([...this.alive.values()].map(({ word }) => word))
  }
}

/** Edits a page by hand: it rewrites a line, moves one to the end, takes one out, repeats one, or adds one. */
function handled(content: string, { at, many }: Pick<Step, 'at' | 'many'>): string {
  const lines = content.split('\n')
  const place = at % lines.length
  if (many % 5 === 0) return [...lines.slice(0, place), `By hand: ${lines[place] ?? ''}`, ...lines.slice(place + 1)].join('\n')
  if (many % 5 === 1) return [...lines.slice(0, place), ...lines.slice(place + 1), lines[place] ?? ''].join('\n')
  if (many % 5 === 2) return [...lines.slice(0, place), ...lines.slice(place + 1)].join('\n')
  if (many % 5 === 3) return [...lines, lines[place] ?? ''].join('\n')
  return [...lines.slice(0, place), `mine ${at}`, '', '## mine', ...lines.slice(place)].join('\n')
}

const byHand = { writer: 'person', isTool: false, during: undefined }
const unchanged = { description: undefined, maxChars: undefined, revision: undefined }

const play: Readonly<Record<Step['kind'], (world: World, step: Step) => void>> = {
  tell: (world, step) => world.tell(step),
  workIn: (world, { isModel }) => expect(world.run(workAllIn(ada, isModel ? 'model' : 'extractive'))).toHaveProperty('documents'),
  repeat: (world, { at, session }) => {
    const { word } = [...world.alive.values()][at % Math.max(1, world.alive.size)] ?? { word: world.word() }
    const [id = ''] = world.run(tell(ada, sessions[session] ?? '', [world.told(at, word)]))
    world.alive.set(id, { word, session })
  },
  edit: (world, step) => {
    const { name, content } = world.document(step.at) ?? { name: nouns[step.at % nouns.length] ?? '', content: '' }
    world.run(editDocument(ada, name, { ...unchanged, content: handled(content, step) }, byHand, monday))
  },
  describe: (world, { at }) => {
    const { name, content } = world.document(at) ?? {}
    if (name !== undefined && content !== undefined)
      world.run(editDocument(ada, name, { ...unchanged, content, description: `described ${at}` }, byHand, monday))
  },
  agent: (world, { at, session }) => {
    const known = [...world.alive.values()].find((one) => one.session === session)?.word ?? 'nothing'
    const { name, content } = world.document(at) ?? { name: 'agent', content: '' }
    world.run(
      editDocument(
        ada,
        name,
        { ...unchanged, content: `${content}\n- agent heard ${known}`, description: `agent says ${known}` },
        { writer: 'agent', isTool: true, during: sessions[session] },
        monday,
      ),
    )
  },
  restore: (world, { at, many }) => {
    const { name, revision } = world.document(at) ?? {}
    if (name !== undefined && revision !== undefined)
      world.run(restoreDocument(ada, name, { revision: 1 + (many % revision) }, 'person', monday))
  },
  note: (world, { session, isModel }) => world.run(note(ada, sessions[session] ?? '', isModel ? 'model' : 'extractive')),
  editNotes: (world, step) =>
    orNothing(() => {
      const [session] = [sessions[step.session] ?? sessionName('none')]
      const notes = world.run(readNotes(ada, session, undefined))
      world.run(replaceNotes(ada, session, { content: handled(notes?.content ?? '# Mine', step), revision: undefined }, 'person', monday))
    }),
  restoreNotes: (world, { session, many }) =>
    orNothing(() => world.run(restoreNotes(ada, sessions[session] ?? sessionName('none'), { revision: 1 + (many % 4) }, 'person', monday))),
  forget: (world, { at, many }) => {
    const ids = [...world.alive.keys()].filter((_, place) => (place + at) % (2 + (many % 3)) === 0)
    if (ids.length === 0) return
    world.run(forgetting(ada, { messages: ids }))
    for (const id of ids) world.alive.delete(id)
  },
  forgetSession: (world, { session }) =>
    orNothing(() => {
      world.run(forgetting(ada, { session: sessions[session] ?? sessionName('none') }))
      for (const [id, one] of world.alive) if (one.session === session) world.alive.delete(id)
    }),
  replace: (world, { at }) => {
    const [id, old] = [...world.alive][at % Math.max(1, world.alive.size)] ?? []
    if (id === undefined || old === undefined) return
    const word = world.word()
    world.run(replacing(ada, id, world.told(at, word)))
    world.alive.set(id, { ...old, word })
  },
}

/** Runs an action, and ignores that a session or a revision is not there. */
function orNothing(action: () => void): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}

function stepsOf(kinds: readonly Step['kind'][]): fc.Arbitrary<Step[]> {
  const number = fc.nat(30)
  return fc.array(fc.record({ kind: fc.constantFrom(...kinds), session: fc.nat(2), at: number, many: number, isModel: fc.boolean() }), {
    minLength: 6,
    maxLength: 40,
  })
}

const all = [
  'tell',
  'tell',
  'repeat',
  'workIn',
  'workIn',
  'edit',
  'edit',
  'describe',
  'agent',
  'restore',
  'note',
  'editNotes',
  'restoreNotes',
  'forget',
  'forget',
  'forgetSession',
  'replace',
] as const

test(
  'whatever is said, written, edited, restored, replaced and forgotten, no word of a message that is gone is left of it in any ' +
    'page, and forgetting everything leaves none',
  () => {
    fc.assert(
      fc.property(stepsOf(all), fc.boolean(), (steps, isByMessage) => {
        using world = new World()
        for (const [place, step] of steps.entries()) {
          play[step.kind](world, step)
          expect(pageProblems(world.connection), `${place} ${step.kind}`).toEqual([])
          const left = new Set(pageTexts(world.connection).match(/zq\d+q/g) ?? [])
          expect([...left.difference(world.words)], `${place} ${step.kind}`).toEqual([])
        }
        if (isByMessage && world.alive.size > 0) world.run(forgetting(ada, { messages: [...world.alive.keys()] }))
        expect(pageProblems(world.connection)).toEqual([])
        world.run(forgetting(ada, { all: true }))
        expect(pageRows(world.connection)).toBe(0)
      }),
      { numRuns },
    )
  },
)

test('what was said and is not forgotten stands in a document once it is worked in, whatever else is forgotten', () => {
  fc.assert(
    fc.property(
      stepsOf(['tell', 'repeat', 'workIn', 'note', 'forget', 'forget', 'forgetSession', 'replace']),
      fc.boolean(),
      (steps, isModel) => {
        using world = new World()
        for (const step of steps) play[step.kind](world, step)
        for (let pass = 0; pass < 3; pass += 1) world.run(workAllIn(ada, isModel ? 'model' : 'extractive'))
        const standing = JSON.stringify(world.connection.prepare('SELECT content FROM page WHERE kind = 0').all())
        for (const word of world.words) expect(standing).toContain(`${word}`)
        for (const name of nouns) expect(world.run(readDocument(ada, name, undefined))?.lineage).not.toEqual([])
      },
    ),
    { numRuns },
  )
})

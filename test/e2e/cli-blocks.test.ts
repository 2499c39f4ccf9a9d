import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import { type Outcome, typedIn } from '../fixtures/cli/typed.ts'

const { home, store, varve } = typedIn('blocks')
const blocks = (args: readonly string[], input = ''): Promise<Outcome> => varve(['blocks', ...args], input)

/** Gives the data of a command that must succeed. */
async function data(...args: string[]) {
  const { code, stdout, stderr } = await blocks([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** The same file in this process, to look at the state that the commands left. */
let memory: Memory

beforeAll(async () => {
  memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false })
})

afterAll(async () => {
  await memory.close()
  rmSync(home, { recursive: true })
})

test('there is none at first, and the next command makes one that works', async () => {
  expect(await blocks([])).toEqual({
    code: 0,
    stdout: '',
    stderr: `No block.\nNext: varve blocks set notes 'A text to keep in mind.' --store ${store}\n`,
  })
  expect(await data('list', '--session', 'none')).toEqual({ blocks: [] })
})

test('set, append, reorder, show, revisions and restore do what the library does', async () => {
  expect((await blocks(['set', 'habits', 'Ada waters the figs.', '--max-chars', '60'])).stdout).toMatch(
    /^habits: 20 of 60 characters, revision 1, \d{4}-\d\d-\d\d \d\d:\d\d by person\n$/,
  )
  expect((await blocks(['append', 'habits', '-', '--separator', ' / '], 'On Mondays,\n- early.\n')).code).toBe(0)
  await memory.for({}).blocks.set('todo', 'buy oakum')
  expect(await data('set', 'plan', 'caulk', '--session', 'monday')).toEqual({
    block: await memory.for({}).blocks.get('plan', { session: 'monday' }),
  })
  const shown = await blocks(['show', 'habits'])
  expect(shown).toMatchObject({
    code: 0,
    stdout: 'Ada waters the figs. / On Mondays,\n- early.\n',
    stderr: expect.stringMatching(/^43 of 60 characters, revision 2, .* by person\n$/),
  })
  expect(await data('reorder', 'todo')).toEqual({ blocks: await memory.for({}).blocks.list() })
  expect((await blocks(['list'])).stdout).toMatch(
    new RegExp(
      String.raw`^1\. todo\n {3}buy oakum\n {3}9 of 5,000 characters, revision 1, .*\n\n2\. habits\n {3}Ada ` +
        String.raw`waters the figs\. \/ On Mondays,\n {3}- early\.\n`,
    ),
  )
  expect((await blocks(['revisions', 'habits', '--limit', '1'])).stdout).toMatch(
    /^revision 2 {2}.* by person, 43 characters\n {3}Ada waters/,
  )
  expect(await data('restore', 'habits', '1')).toMatchObject({ block: { text: 'Ada waters the figs.', revision: 3 } })
  expect(await data('revisions', 'habits')).toEqual({ revisions: await memory.for({}).blocks.revisions('habits') })
})

test("--shared writes the project's, which a member reads and cannot delete", async () => {
  const crew = ['--project', 'crew', '--user', 'ada']
  expect(await data('set', 'rules', 'Hang the oars up.', '--shared', '--project', 'crew')).toMatchObject({
    block: { scope: 'project', shared: true },
  })
  expect((await blocks(['list', ...crew])).stdout).toContain('1. rules  of all members\n   Hang the oars up.\n')
  expect((await blocks(['show', 'rules', ...crew])).stdout).toBe('Hang the oars up.\n')
  for (const yes of [[], ['--yes']]) {
    expect(await blocks(['delete', 'rules', ...crew, ...yes])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `varve: no block "rules" here.\nNext: varve blocks --store ${store} --project crew --user ada\n`,
    })
  }
  expect((await blocks(['set', 'x', 'y', '--shared', '--session', 'monday'])).code).toBe(2)
  expect((await memory.project('crew').blocks.list()).map(({ name }) => name)).toEqual(['rules'])
})

test('delete shows what would go, and does it with --yes', async () => {
  const before = await blocks(['delete', 'todo'])
  expect(before).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('buy oakum'),
    stderr: expect.stringMatching(/Nothing was done yet.*\nNext: varve blocks delete todo --store .* --yes\n$/s),
  })
  expect(await memory.for({}).blocks.get('todo')).toBeDefined()
  expect(await data('delete', 'todo')).toMatchObject({ done: false, block: { name: 'todo' }, next: expect.stringContaining('--yes') })
  expect(await data('delete', 'todo', '--yes')).toMatchObject({ done: true, counts: { block: 1 }, physical: 'done' })
  expect(await memory.for({}).blocks.get('todo')).toBeUndefined()
})

test.each([
  ['a text over the cap', ['set', 'habits', 'x'.repeat(61)], 2, 'would have 61 characters, and may have 60'],
  ['a text that says nothing', ['set', 'habits', ' '], 2, 'should be deleted instead'],
  ['a name that is none', ['set', '..', 'x'], 2, 'must not be a path'],
  ['a cap that is none', ['set', 'habits', 'x', '--max-chars', '0'], 2, '--max-chars must be'],
  ['a block that is not there', ['show', 'nothing'], 1, 'no block "nothing" here'],
  ['a revision that is not there', ['restore', 'habits', '99'], 1, 'no block revision "99" here'],
  ['a revision that is none', ['restore', 'habits', 'first'], 2, 'It must be a number'],
  ['no names', ['reorder'], 2, "missing required argument 'names'"],
])('%s is refused, with what to do', async (_what, args, code, message) => {
  expect(await blocks(args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(/^varve: .*\nNext: varve blocks/) })
  expect((await blocks([...args, '--json'])).stderr).toContain(JSON.stringify(message).slice(1, -1))
})

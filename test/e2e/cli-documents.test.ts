import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import { type Outcome, typedIn } from '../fixtures/cli/typed.ts'

const { home, store, varve } = typedIn('documents')
const documents = (args: readonly string[], input = ''): Promise<Outcome> => varve(['documents', ...args], input)

/** Gives the data of a command that must succeed. */
async function data(...args: string[]) {
  const { code, stdout, stderr } = await documents([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** The same file in this process, to look at the state that the commands left. */
let memory: Memory
const own = () => memory.for({}).documents

beforeAll(async () => {
  memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false })
})

afterAll(async () => {
  await memory.close()
  rmSync(home, { recursive: true })
})

test('there is none at first: the next command switches the layer on, and then there is one that reads', async () => {
  expect(await documents([])).toEqual({
    code: 0,
    stdout: '',
    stderr:
      `No document. The layer is off in this project: documents are written by hand only.\nNext: varve settings set ` +
      `layers.documents on --store ${store}\n`,
  })
  expect(JSON.parse((await varve(['settings', 'set', 'layers.documents', 'on', '--json'])).stdout)).toMatchObject({
    settings: { layers: { documents: true } },
  })
  expect((await documents(['list'])).stderr).toBe(
    `No document: no fact was read yet to keep in one.\nNext: varve upkeep --store ${store}\n`,
  )
})

test('memorize works what a person said into documents, and recollect finds the passage', async () => {
  await memory
    .for({})
    .append('monday', {
      role: 'user',
      name: 'Marlene',
      content: 'Our bakery opens at 7 and the rye bread costs $1,000 a tonne. I live in Kiel. Our van is green.',
      at: '2026-05-04T09:00:00Z',
    })
  expect(await documents(['memorize', 'monday'])).toEqual({
    code: 0,
    stdout: 'Worked 3 facts into 1 document: Marlene (revision 3).\n',
    stderr: '',
  })
  expect(await data('memorize', 'monday')).toEqual({ facts: 0, documents: [], waiting: 0 })
  expect((await documents(['recollect', 'rye bread costs'])).stdout).toMatch(
    /^1\. [01]\.\d{3} {2}Marlene\n {3}.*opens at 7 and the rye bread costs \$1,000 a tonne\./,
  )
  expect(await data('recollect', 'rye bread', '--limit', '1')).toEqual({ documents: await own().recollect('rye bread', { limit: 1 }) })
  expect(await documents(['recollect', 'zeppelin'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'No match: no document says any of that.\n',
  })
})

test('a document is edited from stdin, a file or an argument, and read, numbered, compared and restored', async () => {
  const path = join(home, 'boat.md')
  writeFileSync(path, '# Boat\n\n- built in 1963\n')
  expect((await documents(['edit', 'boat', '--file', path, '--revision', '0'])).stdout).toMatch(
    /^boat: 24 of 16,000 characters, revision 1, .* by person\n$/,
  )
  expect(await documents(['read', 'boat'])).toMatchObject({
    code: 0,
    stdout: '# Boat\n\n- built in 1963\n',
    stderr: expect.stringMatching(/^24 of 16,000 characters, revision 1, /),
  })
  expect(await data('edit', 'boat', '--append', '- leaks', '--revision', '1')).toMatchObject({
    document: { revision: 2, writer: 'person' },
  })
  expect((await documents(['read', 'boat', '--lines'])).stdout).toBe('1  # Boat\n2\n3  - built in 1963\n4  - leaks\n')
  expect((await documents(['diff', 'boat', '2'])).stdout).toMatch(
    /^revision 2 {2}.* by person\n {3}@@ -2,2 \+2,3 @@\n\n {4}- built in 1963\n {3}\+- leaks\n$/,
  )
  expect(await data('edit', 'boat', '--description', 'The old ferry.')).toMatchObject({
    document: { description: 'The old ferry.', revision: 3, content: '# Boat\n\n- built in 1963\n- leaks\n' },
  })
  expect((await documents(['edit', 'boat', '-'], '# Boat\n\n- tight again\n')).code).toBe(0)
  expect(await data('restore', 'boat', '1')).toMatchObject({ document: { content: '# Boat\n\n- built in 1963\n', revision: 5 } })
  const revisions = await documents(['revisions', 'boat', '--limit', '2', '--json'])
  expect(JSON.parse(revisions.stdout)).toEqual({ revisions: [...(await own().revisions('boat', { limit: 2 }))] })
  expect(revisions.stderr).toBe('The list goes on after 2 items: --limit says how many are listed.\n')
  expect((await documents(['read', 'boat', '--revision', '4'])).stdout).toBe('# Boat\n\n- tight again\n')
  expect((await documents(['list'])).stdout).toMatch(
    /^boat\n {3}.*\n {3}24 of 16,000 characters, revision 5, .*\n\nMarlene\n {3}Our bakery opens at 7/,
  )
})

test("--shared writes the project's, which a member reads and cannot change", async () => {
  const crew = ['--project', 'crew', '--user', 'ada']
  expect(await data('edit', 'rules', 'Hang the oars up.', '--shared', '--project', 'crew')).toMatchObject({ document: { shared: true } })
  expect((await documents(['list', ...crew])).stdout).toMatch(/^rules {2}of all members\n {3}Hang the oars up\.\n/)
  expect((await documents(['read', 'rules', ...crew])).stdout).toBe('Hang the oars up.\n')
  for (const change of [
    ['delete', 'rules', '--yes'],
    ['edit', 'rules', '--description', 'mine'],
  ]) {
    expect(await documents([...change, ...crew])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `varve: no document "rules" here.\nNext: varve documents --store ${store} --project crew --user ada\n`,
    })
  }
})

test('delete shows what would go, and does it with --yes', async () => {
  const before = await documents(['delete', 'boat'])
  expect(before).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^boat\n/),
    stderr: expect.stringMatching(/Nothing was done yet.*\nNext: varve documents delete boat --store .* --yes\n$/s),
  })
  expect(await own().read('boat')).toBeDefined()
  expect(await data('delete', 'boat', '--yes')).toMatchObject({ done: true, counts: { document: 1 }, physical: 'done' })
  expect(await own().read('boat')).toBeUndefined()
})

test.each([
  [
    'an edit of a revision that is gone',
    ['edit', 'Marlene', 'x', '--revision', '7'],
    1,
    'is at revision 3 by now',
    'documents read Marlene --lines',
  ],
  ['nothing on stdin', ['edit', 'Marlene'], 2, 'stdin is empty', 'documents edit --help'],
  ['two contents', ['edit', 'Marlene', 'x', '--append', 'y'], 2, 'give one of', 'documents edit --help'],
  ['a file that is not there', ['edit', 'Marlene', '--file', 'none.md'], 1, 'none.md cannot be read', 'ls -l none.md'],
  [
    'a content over the cap',
    ['edit', 'Marlene', 'x'.repeat(201), '--max-chars', '200'],
    2,
    'would have 201 characters',
    'documents --help',
  ],
  ['a document that is not there', ['read', 'nothing'], 1, 'no document "nothing" here', 'documents'],
  ['a revision that is not there', ['diff', 'Marlene', '9'], 1, 'there is no revision 9', 'documents revisions Marlene'],
  ['a session that is not there', ['memorize', 'never'], 1, 'no session "never" here', 'sessions'],
  ['a session for the project’s', ['memorize', 'monday', '--shared'], 2, 'a user’s', 'documents --help'],
])('%s is refused, with what to do', async (_what, args, code, message, next) => {
  const refused = await documents(args)
  expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  expect(refused.stderr.split('\nNext: ')[1]).toMatch(new RegExp(`^(?:varve )?${next}(?: --s.*)?\n$`))
})

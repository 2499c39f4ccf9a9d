import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { openMemory, type Receipt } from '../../packages/varve/src/index.ts'
import { builtProgram } from '../built.ts'
import { typedHere } from '../fixtures/cli/in-process.ts'
import { type Outcome, typedIn } from '../fixtures/cli/typed.ts'

const { varve, home, store } = typedIn('receipts-hostile')
const file = join(home, 'receipts.jsonl')
const backup = join(home, 'backup.db')
/** The backup, as no test has it. */
const old = join(home, 'old.db')
let receipts: readonly Receipt[] = []

/** A command as it is typed for another store. */
const on = (file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ''): Promise<Outcome> =>
  typedHere([...args, '--store', file], {
    input,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'dumb', VARVE_EMBEDDINGS: 'off', ...env },
  })

beforeAll(async () => {
  const options = { store, upkeep: 'manual', isolation: 'silent', embeddingModel: false } as const
  {
    await using memory = await openMemory(options)
    for (const user of ['ada', 'bob'])
      for (const session of ['monday', 'tuesday', 'friday'])
        await memory.for(user).append(session, { role: 'user', content: `${session}: the ferry leaves at nine` })
  }
  copyFileSync(store, backup)
  copyFileSync(store, old)
  await using memory = await openMemory(options)
  for (const session of ['monday', 'tuesday']) await memory.for('ada').forget({ session })
  receipts = await memory.receipts.list()
})

function written(lines: readonly (string | Buffer)[], end = '\n'): void {
  writeFileSync(file, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from(end)])))
}

async function sessionsOf(user: string): Promise<string[]> {
  await using memory = await openMemory({ store: backup, upkeep: 'manual', isolation: 'silent', embeddingModel: false })
  return (await memory.for(user).sessions.list()).map(({ id }) => id).toSorted()
}

interface Replayed {
  readonly receipts: readonly { readonly line: number; readonly outcome: string; readonly reason?: string }[]
}

async function replayed(input: string | undefined = undefined): Promise<Replayed['receipts']> {
  const { stdout } = await on(backup, ['forget', '--replay', input === undefined ? file : '-', '--yes', '--json'], {}, input)
  const told: Replayed = JSON.parse(stdout)
  return told.receipts
}

test('of a hostile file each wrong line is told by its number, and every receipt is replayed', async () => {
  const [one = '', two = ''] = receipts.map((receipt) => JSON.stringify(receipt))
  const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const lines: [line: string | Buffer, outcome: string | undefined][] = [
    ['\ufeff{}', 'not a receipt'],
    ['', undefined],
    ['  \t', undefined],
    [one.replace('"erased":{', `"erased":{"deep":${nested},`), 'not a receipt'],
    [`{"extra":${nested},${one.slice(1, 40)}`, 'not a receipt'],
    [nested, 'not a receipt'],
    [one.replace('"erased":{', '"erased":{"__proto__":{"all":true},'), 'not a receipt'],
    [one.replace('"counts":{', '"counts":{"__proto__":1,'), 'not a receipt'],
    [one.replace('"erased":{', '"erased":{"all":true,'), 'changed'],
    [one.replace('"what":"messages"', '"what":"project"'), 'changed'],
    [one.replace(/"session":"[^"]+"/, '"session":"*"'), 'changed'],
    [one.replace(/"at":\d+/, '"at":9000000000000'), 'changed'],
    [one.replace(/,"signatures":.*\]/, ''), 'unsigned'],
    [one.slice(0, -9), 'not a receipt'],
    [Buffer.concat([Buffer.from(one.slice(0, 30)), Buffer.from([0xff, 0xfe, 0])]), 'not a receipt'],
    [`${one}\0`, 'not a receipt'],
    [`${one}${one}`, 'not a receipt'],
    [`"${'x'.repeat(33 * 1024 * 1024)}"`, 'not a receipt'],
    [one, 'erased'],
    [one, 'gone'],
    [two, 'erased'],
  ]
  written(
    lines.map(([line]) => line),
    '\r\n',
  )
  const told = await replayed()
  const expected = lines.flatMap(([, outcome], place) => (outcome === undefined ? [] : [[place + 1, outcome]]))
  expect(told.map(({ line, outcome, reason }) => [line, reason ?? outcome])).toEqual(expected)
  expect(await sessionsOf('ada')).toEqual(['friday'])
  expect(await sessionsOf('bob')).toEqual(['friday', 'monday', 'tuesday'])
  expect((await replayed(`${one}\n${two}`)).map(({ line, outcome }) => [line, outcome])).toEqual([
    [1, 'gone'],
    [2, 'gone'],
  ])
  const verified = await varve(['receipts', 'verify', file, '--json'])
  const checks: { receipts: readonly { line: number; state: string }[]; ok: boolean } = JSON.parse(verified.stdout)
  expect(checks.ok).toBe(false)
  expect(checks.receipts.map(({ line }) => line)).toEqual(expected.map(([line]) => line))
})

test('a file that is no list of receipts is refused as a whole, and nothing waits for a pipe', async () => {
  const packed = join(home, 'packed.jsonl')
  writeFileSync(packed, gzipSync(JSON.stringify(receipts[0])))
  const pipe = join(home, 'pipe')
  execFileSync('mkfifo', [pipe])
  mkdirSync(join(home, 'folder'))
  for (const [what, word] of [
    [packed, 'packed with gzip'],
    [pipe, 'is no file'],
    [join(home, 'folder'), 'is no file'],
    ['/dev/zero', 'is no file'],
    [join(home, 'none'), 'cannot be read'],
  ] as const)
    for (const line of [
      ['forget', '--replay', what, '--yes'],
      ['receipts', 'verify', what],
    ]) {
      const { code, stderr } = await varve(line)
      expect(stderr).toContain(word)
      expect(code).toBe(1)
    }
})

test('a key that has no end is refused where it is too long', async () => {
  written([JSON.stringify(receipts[0])])
  const bundle = join(home, 'bundle.jsonl')
  expect((await varve(['export', '--user', 'bob', '--out', bundle])).code).toBe(0)
  for (const line of [
    ['receipts', 'verify', file, '--key', '/dev/zero'],
    ['import', bundle, '--user', 'bob', '--trust', '/dev/zero'],
    ['export', '--user', 'bob', '--out', join(home, 'signed.jsonl'), '--signing-key', '/dev/zero'],
  ]) {
    const { code, stderr } = await varve(line)
    expect(stderr).toContain('/dev/zero has more than')
    expect(code).toBe(2)
  }
})

test('a replay goes on to its end when nobody reads its output any more', async () => {
  const again = join(home, 'again.db')
  copyFileSync(old, again)
  const [one = '', two = ''] = receipts.map((receipt) => JSON.stringify(receipt))
  written([...Array.from({ length: 3_000 }, () => one), two])
  const main = builtProgram('packages/varve/src/cli/main.ts')
  const typed = '"$0" "$1" forget --replay "$2" --yes --store "$3" | head -n 1'
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }
  const told = execFileSync('bash', ['-c', typed, process.execPath, main, file, again], { env, encoding: 'utf8' })
  expect(told).toContain('erased again')
  const left = await on(again, ['sessions', '--user', 'ada', '--json'])
  const { sessions }: { sessions: readonly { id: string }[] } = JSON.parse(left.stdout)
  expect(sessions.map(({ id }) => id)).toEqual(['friday'])
})

test('a replay is of no one user: a name beside it is refused', async () => {
  written([JSON.stringify(receipts[0])])
  for (const flags of [
    ['--user', 'bob'],
    ['--project', 'default'],
  ])
    expect(await varve(['forget', '--replay', file, '--yes', ...flags])).toMatchObject({ code: 2 })
  const { code, stderr } = await varve(['forget', '--replay', file, '--yes'], '', { VARVE_USER: 'bob' })
  expect(code).toBe(2)
  expect(stderr).toContain('of every user')
})

test('a preview refuses what a replay refuses: the Ed25519 key alone replays nothing', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = join(home, 'operator.key')
  writeFileSync(pem, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const signing = { VARVE_SIGNING_KEY: pem }
  const listed = await varve(['receipts', '--json'], '', signing)
  const other = join(home, 'other.db')
  expect((await on(other, ['append', 'monday', 'hello'])).code).toBe(0)
  written(listed.stdout.trim().split('\n'))
  const preview = await on(other, ['forget', '--replay', file, '--json'], signing)
  const done = await on(other, ['forget', '--replay', file, '--json', '--yes'], signing)
  const refused = receipts.map((_, place) => expect.objectContaining({ line: place + 1, reason: 'of another store' }))
  expect(JSON.parse(preview.stdout)).toMatchObject({ refused, receipts: receipts.length })
  expect(JSON.parse(done.stdout)).toMatchObject({ receipts: refused })
})

test('--all lists every receipt, and a list that is cut says so', async () => {
  const all = await varve(['receipts', '--all', '--json'])
  expect(
    all.stdout
      .trim()
      .split('\n')
      .map((line): Receipt => JSON.parse(line)),
  ).toEqual(receipts)
  expect(all.stderr).toBe('')
  const cut = await varve(['receipts', '--limit', '1', '--json'])
  expect(cut.stdout.trim().split('\n')).toHaveLength(1)
  expect(cut.stderr).toContain('The list goes on after 1 item: --all lists them.')
  const users = await varve(['users', '--limit', '1', '--json'])
  expect(JSON.parse(users.stdout)).toMatchObject({ users: ['ada'] })
  expect(users.stderr).toContain('--limit says how many are listed')
})

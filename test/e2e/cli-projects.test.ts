import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { typedIn } from '../fixtures/cli/typed.ts'

const { varve, home } = typedIn('projects')
const data = async (...args: string[]) => JSON.parse((await varve([...args, '--json'])).stdout)

beforeAll(async () => {
  await varve(['append', 'monday', 'The lamp is brass.', '--id', 'm1', '--user', 'ada', '--project', 'pier'])
  await varve(['append', 'tuesday', 'The lamp is green.', '--id', 'm1', '--user', 'ada', '--project', 'pier'])
  await varve(['append', 'monday', 'Hello.', '--id', 'h1', '--user', 'bob', '--project', 'pier'])
})

test('varve users lists the named users of one project', async () => {
  expect(await data('users', '--project', 'pier')).toEqual({ project: 'pier', users: ['ada', 'bob'] })
  expect((await varve(['users', '--project', 'pier'])).stdout).toBe('ada\nbob\n')
  expect((await varve(['users', '--project', 'pier', '--limit', '1'])).stdout).toBe('ada\n')
  expect((await varve(['users'])).stderr).toBe('No named user in project default.\n')
})

test('varve projects lists, creates and deletes: a delete without --yes only says what would go', async () => {
  expect(await varve(['projects', 'create', 'kiosk'])).toMatchObject({ code: 0, stdout: 'The project kiosk is there.\n' })
  expect((await data('projects')).projects.map(({ name }: { name: string }) => name)).toEqual(['kiosk', 'pier'])
  await varve(['append', 'monday', 'A word of the kiosk.', '--user', 'cy', '--project', 'kiosk'])
  const preview = await varve(['projects', 'delete', 'kiosk'])
  expect(preview.stdout).toBe('kiosk: 1 named user.\n')
  expect(preview.stderr).toMatch(/Nothing was done yet.*\nNext: varve projects delete kiosk .*--yes/)
  expect((await data('users', '--project', 'kiosk')).users).toEqual(['cy'])
  expect(await data('projects', 'delete', 'kiosk', '--yes')).toMatchObject({ done: true, counts: { message: 1 }, logical: 'done' })
  expect((await varve(['projects'])).stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}pier\n$/)
  for (const gone of [
    ['projects', 'delete', 'kiosk'],
    ['projects', 'delete', 'kiosk', '--yes'],
  ])
    expect(await varve(gone)).toMatchObject({ code: 1, stderr: expect.stringContaining('no project "kiosk"') })
  expect(await varve(['projects', 'delete', 'pier', '--project', 'kiosk', '--yes'])).toMatchObject({ code: 2 })
  expect((await data('users', '--project', 'pier')).users).toEqual(['ada', 'bob'])
})

test('the preview of a deletion counts all users, however many', async () => {
  const lines = Array.from({ length: 1_003 }, (_, at) =>
    JSON.stringify({ role: 'user', content: 'Hello.', session: 's', user: `u${at}`, project: 'crowd' }),
  )
  const file = join(home, 'crowd.jsonl')
  writeFileSync(file, lines.join('\n'))
  expect(await varve(['import', file, '--route'])).toMatchObject({ code: 0 })
  expect((await varve(['projects', 'delete', 'crowd'])).stdout).toBe('crowd: 1,003 named users.\n')
  expect(await data('projects', 'delete', 'crowd')).toMatchObject({ done: false, users: 1_003 })
  expect(await data('projects', 'delete', 'crowd', '--yes')).toMatchObject({ done: true, counts: { message: 1_003 } })
})

test('varve replace and varve forget --messages take the host’s own ids', async () => {
  const ada = (...args: string[]): string[] => [...args, '--user', 'ada', '--project', 'pier']
  const ambiguous = await varve(ada('replace', 'm1', 'x'))
  expect(ambiguous).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('several sessions have this id') })
  const replaced = await varve(ada('replace', 'm1', '--session', 'tuesday'), 'The lamp is copper.\n')
  expect(replaced.stdout).toMatch(/^Replaced message #1 of tuesday\.\nForgotten: 1 message\.?/)
  expect((await varve(ada('sessions', 'show', 'tuesday'))).stdout).toContain('The lamp is copper.')
  expect((await varve(ada('sessions', 'show', 'monday'))).stdout).toContain('The lamp is brass.')
  expect(await data(...ada('forget', '--session', 'monday', '--messages', 'm1', '--yes'))).toMatchObject({ counts: { message: 1 } })
  expect(await varve(ada('replace', 'h1', 'x'))).toMatchObject({ code: 1, stderr: expect.stringContaining('no message "h1"') })
  expect((await varve(['sessions', 'show', 'monday', '--user', 'bob', '--project', 'pier'])).stdout).toContain('Hello.')
})

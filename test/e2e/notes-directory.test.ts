import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { MemoryOptions, UserMemory } from '../../packages/varve/src/index.ts'
import { canary } from '../fixtures/memory/canaries.ts'
import { listeningLogger, newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { edits, linesUnder, logged, type Noting, noting } from '../fixtures/notes/noting.ts'
import { steps } from '../fixtures/notes/steps.ts'

interface Mirrored extends Noting {
  readonly root: string
  readonly ada: UserMemory
  readonly warnings: string[]
}

/** Opens a memory whose notes are files, with the notes of one session. */
async function mirrored(options: MemoryOptions = {}): Promise<Mirrored> {
  const root = join(dirname(newStore()), 'notes')
  const logger = listeningLogger()
  const it = await noting({ notesDirectory: root, logger, ...options })
  const ada = it.memory.for('ada')
  await ada.append('monday', steps('crane', 4))
  logger.warnings.length = 0
  return { ...it, root, ada, warnings: logger.warnings }
}

/** Lists all files of a folder, at any depth, as paths from it. */
function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

async function pathOf(user: UserMemory, session = 'monday'): Promise<string> {
  const { path = '' } = await user.notes.update(session)
  return path
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

/** Saves as an editor does: the whole file, in another file's place. */
function save(path: string, change: (text: string) => string): void {
  const text = change(readFileSync(path, 'utf8'))
  writeFileSync(`${path}~`, text)
  renameSync(`${path}~`, path)
}

const learned = (text: string, line: string): string => text.replace(/(# Learnings\n_.*_)/, `$1\n\n${line}`)
const fileNotes = (warnings: readonly string[]): string[] => warnings.filter((warning) => warning.startsWith('NOTES_FILE'))

describe('the file', () => {
  // requirement: NOTE-9
  test('is nobody else’s to read, in folders that are nobody else’s to look into', async () => {
    const { root, ada } = await mirrored()
    const before = process.umask(0)
    onTestFinished(() => void process.umask(before))
    const path = await pathOf(ada)
    expect(relative(root, path).split('/')).toEqual([
      expect.stringMatching(/^default-[\da-f]{12}$/),
      expect.stringMatching(/^ada-[\da-f]{12}$/),
      expect.stringMatching(/^monday-[\da-f]{12}\.md$/),
    ])
    expect([path, dirname(path), dirname(dirname(path)), root].map(modeOf)).toEqual([0o600, 0o700, 0o700, 0o700])
    expect(filesIn(root)).toEqual([relative(root, path)])
  })

  test('is closed to others where its folders were open; the host’s own folder stays as the host made it', async () => {
    const { root, ada } = await mirrored()
    const path = await pathOf(ada)
    chmodSync(root, 0o755)
    chmodSync(dirname(path), 0o777)
    chmodSync(path, 0o644)
    await ada.append('monday', steps('crane', 1, 5))
    await ada.notes.update('monday')
    expect([path, dirname(path), root].map(modeOf)).toEqual([0o600, 0o700, 0o755])
  })

  test('says what the notes say, below a line that says whose they are', async () => {
    const { ada } = await mirrored()
    const { content, path = '', revision } = await ada.notes.update('monday')
    const [mark, ...lines] = readFileSync(path, 'utf8').split('\n')
    expect(mark).toMatch(new RegExp(`^<!-- varve: notes of "monday", [\\da-f-]{36}, revision ${revision}, [\\da-f]{16}\\. .* -->$`))
    expect(lines.join('\n')).toBe(content)
    expect(await ada.notes.get('monday')).toMatchObject({ path })
    expect(await ada.notes.edit('monday', '# Title\n\nMine')).toMatchObject({ path })
    expect(readFileSync(path, 'utf8')).toMatch(/# Title\n\nMine$/)
    await ada.notes.restore('monday', revision)
    expect(readFileSync(path, 'utf8')).toContain(content)
  })

  test('is written anew when somebody deleted or emptied it', async () => {
    const { ada } = await mirrored()
    const path = await pathOf(ada)
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    await ada.notes.get('monday')
    expect(readFileSync(path, 'utf8')).toBe(text)
    writeFileSync(path, '')
    expect((await ada.notes.get('monday'))?.revision).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('has no secret in it, whoever wrote it', async () => {
    const { ada } = await mirrored()
    const path = await pathOf(ada)
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    await ada.notes.edit('monday', `# Learnings\n\n- The token is ${secret}.`)
    expect(readFileSync(path, 'utf8')).toContain('- The token is ')
    expect(readFileSync(path, 'utf8')).not.toContain(secret)
  })

  test('is where VARVE_NOTES_DIRECTORY says', async () => {
    const root = join(dirname(newStore()), 'by-environment')
    process.env['VARVE_NOTES_DIRECTORY'] = root
    onTestFinished(() => void delete process.env['VARVE_NOTES_DIRECTORY'])
    const ada = (await openForTest()).for('ada')
    await ada.append('monday', steps('crane', 1))
    expect((await ada.notes.update('monday')).path?.startsWith(root)).toBe(true)
    expect(filesIn(root)).toHaveLength(1)
  })
})

describe('an edit by hand in the file', () => {
  // requirement: NOTE-10
  test('is a person’s revision at the next look, and stays through the next update', async () => {
    const { ada } = await mirrored()
    const path = await pathOf(ada)
    save(path, (text) => learned(text, '- By hand: grease it.'))
    const taken = await ada.notes.get('monday')
    expect(taken).toMatchObject({ revision: 3, writer: 'person', upTo: 4 })
    expect(taken?.content).toContain('- By hand: grease it.')
    expect((await ada.notes.revisions('monday'))[0]?.diff).toContain('+- By hand: grease it.')
    await ada.append('monday', steps('crane', 1, 5))
    const { content } = await ada.notes.update('monday')
    expect(content).toContain('- By hand: grease it.')
    expect(linesUnder(content, 'Worklog')).toHaveLength(5)
    expect(readFileSync(path, 'utf8')).toContain('revision 4,')
  })

  test('is taken in before an update by upkeep, and shown to its writer', async () => {
    const { ada, memory, server } = await mirrored()
    const path = await pathOf(ada)
    save(path, (text) => learned(text, '- By hand: grease it.'))
    await ada.append('monday', [...steps('crane', 4, 5), { role: 'assistant', content: 'It is where it should be.' }])
    expect(await memory.upkeep.run()).toMatchObject({ noted: 1 })
    expect(server.requests.at(-1)?.prompt).toContain('- By hand: grease it.')
    expect((await ada.notes.revisions('monday')).map(({ writer }) => writer)).toEqual([
      'openai-compatible:scripted',
      'person',
      'openai-compatible:scripted',
      'template',
    ])
  })

  test('that is saved while a model is asked stands in the new page, beside what the model wrote', async () => {
    const { ada, play } = await mirrored()
    const path = await pathOf(ada)
    await ada.append('monday', steps('crane', 1, 5))
    play((request) => {
      save(path, (text) => learned(text, '- By hand: grease it.'))
      return logged(request)
    })
    await ada.notes.update('monday')
    const { content = '' } = (await ada.notes.get('monday')) ?? {}
    expect(content).toContain('- By hand: grease it.')
    expect(linesUnder(content, 'Worklog')).toHaveLength(5)
    expect(readFileSync(path, 'utf8')).toContain(content)
  })

  test('of the very lines that a model changed meanwhile is what stands; the model’s are in the revisions', async () => {
    const { ada, play } = await mirrored()
    play(() => edits(['Learnings', '- The crane is slow.']))
    const path = await pathOf(ada)
    await ada.append('monday', steps('crane', 1, 5))
    play(() => {
      save(path, (text) => text.replace('is slow', 'is old'))
      return edits(['Learnings', '- The crane is fast.'])
    })
    await ada.notes.update('monday')
    expect((await ada.notes.get('monday'))?.content).toContain('- The crane is old.')
    expect((await ada.notes.get('monday', { revision: 3 }))?.content).toContain('- The crane is fast.')
  })

  test('is taken in without its first line, and with the line ends of another system', async () => {
    const { ada } = await mirrored()
    const path = await pathOf(ada)
    const text = learned(readFileSync(path, 'utf8'), '- By hand: grease it.')
    writeFileSync(path, text.replaceAll('\n', '\r\n'))
    expect((await ada.notes.get('monday'))?.content).toBe(text.slice(text.indexOf('\n') + 1))
    writeFileSync(path, '# Learnings\n\nNothing but this.\n')
    expect(await ada.notes.get('monday')).toMatchObject({ writer: 'person', content: '# Learnings\n\nNothing but this.\n' })
    expect(readFileSync(path, 'utf8')).toMatch(/^<!-- varve: notes of "monday"/)
  })

  test('is no edit when the file is saved as it was', async () => {
    const { ada } = await mirrored()
    const path = await pathOf(ada)
    save(path, (text) => text)
    expect((await ada.notes.get('monday'))?.revision).toBe(2)
  })
})

describe('names', () => {
  const names = [
    '../../etc/passwd',
    'a/b',
    '/etc/passwd',
    '.hidden',
    'C:\\x',
    'con',
    'naïve ☃ 会議',
    'Monday',
    'monday',
    'MONDAY',
    'cafe\u0301',
    'caf\u00E9',
    'x'.repeat(256),
    'a --> b',
    '"quoted" \\ name',
    'monday.md',
    '\u202Egnol',
  ]

  test('of sessions lead nowhere but into the folder, and each has a file of its own', async () => {
    const { root, ada } = await mirrored()
    const paths = new Set<string>()
    for (const name of names) {
      await ada.append(name, { role: 'user', content: `This is about ${paths.size}.` })
      const path = await pathOf(ada, name)
      expect(basename(path), name).toMatch(/^[a-z0-9-]{1,73}\.md$/)
      paths.add(path.toLowerCase())
      save(path, (text) => learned(text, `- By hand ${paths.size}.`))
      expect((await ada.notes.get(name))?.content, name).toContain(`- By hand ${paths.size}.`)
    }
    expect(paths.size).toBe(names.length)
    expect(filesIn(root)).toHaveLength(names.length)
    for (const name of ['.', '..']) expect(await rejection(ada.notes.update(name))).toMatchObject({ code: 'SCOPE_INVALID' })
    await ada.forget({ all: true })
    expect(filesIn(root)).toEqual([])
  })

  test('of users and projects keep them apart, though their sessions have the same name', async () => {
    const { root, memory } = await mirrored()
    const owners = [
      { user: 'ada' },
      { user: 'Ada' },
      { user: 'anonymous' },
      { project: 'default' },
      { project: '../default', user: 'ada' },
      { project: 'Default', user: 'ada' },
      { user: '../bob' },
    ]
    const paths = new Set<string>()
    for (const [place, owner] of owners.entries()) {
      const user = memory.for(owner)
      await user.append('friday', { role: 'user', content: 'We begin.' })
      await user.notes.edit('friday', `# Title\n\nOwner ${place}`)
      paths.add(relative(root, (await user.notes.get('friday'))?.path ?? '').toLowerCase())
    }
    expect(paths.size).toBe(owners.length)
    for (const path of paths) expect(path).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+\.md$/)
    for (const [place, owner] of owners.entries())
      expect((await memory.for(owner).notes.get('friday'))?.content).toBe(`# Title\n\nOwner ${place}`)
  })
})

describe('a symbolic link', () => {
  test.each(['root', 'project', 'user', 'file'] as const)(
    'in the place of the %s is neither read nor written through; it is told once, and memory goes on',
    async (which) => {
      const { root, ada, warnings } = await mirrored()
      const path = await pathOf(ada)
      const place = { root, project: dirname(dirname(path)), user: dirname(path), file: path }[which]
      const elsewhere = join(dirname(root), 'elsewhere')
      renameSync(place, elsewhere)
      symlinkSync(elsewhere, place)
      const target = which === 'file' ? elsewhere : join(elsewhere, relative(place, path))
      const text = `${readFileSync(target, 'utf8')}- Planted.\n`
      writeFileSync(target, text)
      expect((await ada.notes.get('monday'))?.content).not.toContain('Planted')
      await ada.append('monday', steps('crane', 1, 5))
      expect(await ada.notes.update('monday')).toMatchObject({ upTo: 5 })
      expect(lstatSync(place).isSymbolicLink()).toBe(true)
      await ada.notes.delete('monday')
      expect(readFileSync(target, 'utf8')).toBe(text)
      expect(fileNotes(warnings)).toEqual([expect.stringContaining('is a symbolic link')])
    },
  )

  test('that leads nowhere is not followed either', async () => {
    const { root, ada, warnings } = await mirrored()
    symlinkSync(join(dirname(root), 'nowhere'), root)
    expect(await ada.notes.update('monday')).toMatchObject({ upTo: 4 })
    expect(existsSync(join(dirname(root), 'nowhere'))).toBe(false)
    expect(fileNotes(warnings)).toHaveLength(1)
  })
})

describe('a file that is no page of notes', () => {
  const kinds: Readonly<Record<string, (path: string) => void>> = {
    'a folder': (path) => mkdirSync(path),
    'a pipe': (path) => void execFileSync('mkfifo', [path]),
    binary: (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00, 0x41])),
    huge: (path) => writeFileSync(path, 'x'.repeat(3 * 1024 * 1024)),
    'over what a page may have': (path) => writeFileSync(path, 'x'.repeat(500_000)),
    'with a null in it': (path) => writeFileSync(path, 'a\0b'),
  }
  test('is left as it is: a warning, and the notes go on', async () => {
    const { ada, warnings } = await mirrored()
    const path = await pathOf(ada)
    for (const [place, [kind, make]] of Object.entries(kinds).entries()) {
      rmSync(path, { recursive: true })
      make(path)
      await ada.append('monday', steps('crane', 1, 5 + place))
      expect(await ada.notes.update('monday'), kind).toMatchObject({ upTo: 5 + place })
      expect(existsSync(path), kind).toBe(true)
      if (lstatSync(path).isFile()) expect(readFileSync(path, 'utf8'), kind).not.toContain('varve: notes of')
    }
    // A folder, a pipe and a huge file are reported in the same words, once.
    expect(fileNotes(warnings)).toEqual([
      expect.stringContaining('is not a plain file'),
      expect.stringContaining('is not UTF-8'),
      expect.stringContaining('characters'),
      expect.stringContaining('content'),
    ])
  })
})

// Root may write everywhere: a folder that is read-only for all is a file in the folder's place.
test('a folder that cannot be written is a warning and no failure', async () => {
  const { root, ada, warnings } = await mirrored()
  writeFileSync(root, 'no folder')
  expect(await ada.notes.update('monday')).toMatchObject({ upTo: 4 })
  expect((await ada.notes.get('monday'))?.revision).toBe(2)
  expect(fileNotes(warnings)).toHaveLength(1)
  expect(readFileSync(root, 'utf8')).toBe('no folder')
})

describe('what was forgotten', () => {
  const kept = 'The harbour opens at nine.'
  const told = async (it: Mirrored) => {
    const word = canary()
    const { messages } = await it.ada.append('tuesday', [
      { role: 'user', content: kept },
      { role: 'user', content: `The code is ${word}.` },
    ])
    const bad = messages[1]?.id ?? ''
    it.play((request) =>
      edits(['Learnings', request.prompt.includes(word) ? `- The code is ${word}.` : '- Nothing.'], ['Title', 'A day at the harbour']),
    )
    const path = await pathOf(it.ada, 'tuesday')
    expect(readFileSync(path, 'utf8')).toContain(word)
    return { ...it, word, bad, path }
  }
  const inFiles = (root: string, word: string): string[] =>
    filesIn(root).filter((name) => readFileSync(join(root, name), 'utf8').includes(word))
  type Told = Awaited<ReturnType<typeof told>>

  const ways: Readonly<Record<string, (it: Told) => Promise<unknown>>> = {
    'a forgotten message': ({ ada, bad }) => ada.forget({ messages: [bad] }),
    'a replaced message': ({ ada, bad }) => ada.replace(bad, 'The code is secret.'),
    'a forgotten session': ({ ada }) => ada.forget({ session: 'tuesday' }),
    'a deleted session': ({ ada }) => ada.sessions.delete('tuesday'),
    'deleted notes': ({ ada }) => ada.notes.delete('tuesday'),
    'a user who forgets everything': ({ ada }) => ada.forget({ all: true }),
    'a deleted project': ({ memory }) => memory.projects.delete('default'),
  }
  // requirement: P3.9
  test.each(Object.entries(ways))(
    'is gone from the file at once: %s; neither an old copy nor an editor that saves what it had open brings it back',
    async (_, erase) => {
      const it = await told(await mirrored())
      const { root, ada, path, word } = it
      const old = readFileSync(path, 'utf8')
      await erase(it)
      expect(inFiles(root, word)).toEqual([])
      expect(fileNotes(it.warnings)).toEqual([])
      const saves = [old, learned(old, '- Typed before it was forgotten.'), old.replace('nine', 'ten')]
      for (const text of saves) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
        const notes = await ada.notes.get('tuesday')
        expect(notes?.content ?? '').not.toContain(word)
        expect(inFiles(root, word)).toEqual([])
      }
      // Notes that were begun anew are others than those that the editor had open.
      await ada.append('tuesday', steps('crane', 2))
      it.play(logged)
      await ada.notes.update('tuesday')
      writeFileSync(path, saves[1] ?? '')
      expect((await ada.notes.get('tuesday'))?.content).not.toContain('Typed before it was forgotten.')
      expect(inFiles(root, 'Typed before it was forgotten.')).toEqual([])
    },
  )

  test('is gone from a file whose first line was taken away, and what is left beside others that cannot be read', async () => {
    const it = await told(await mirrored())
    const { root, ada, path, word } = it
    const other = await pathOf(ada, 'monday')
    rmSync(other)
    mkdirSync(other)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^.*\n/, ''))
    writeFileSync(`${path}.123456`, word)
    await ada.forget({ messages: [it.bad] })
    expect(filesIn(root)).toEqual([relative(root, path)].filter((name) => existsSync(join(root, name))))
    expect(inFiles(root, word)).toEqual([])
  })

  test('is gone from a file without its first line when the notes are', async () => {
    const it = await told(await mirrored())
    writeFileSync(it.path, readFileSync(it.path, 'utf8').replace(/^.*\n/, ''))
    await it.ada.sessions.delete('tuesday')
    expect(existsSync(it.path)).toBe(false)
  })

  test('of a project goes from the files of all of its users, and of no other project', async () => {
    const { memory, root } = await mirrored()
    const owners = [
      { project: 'dock', user: 'ada' },
      { project: 'dock', user: 'bob' },
      { project: 'dock' },
      { project: 'pier', user: 'ada' },
    ]
    for (const owner of owners) {
      await memory.for(owner).append('monday', steps('crane', 1))
      await memory.for(owner).notes.update('monday')
    }
    expect(filesIn(root)).toHaveLength(4)
    await memory.projects.delete('dock')
    expect(filesIn(root)).toEqual([expect.stringMatching(/^pier-/)])
  })
})

test('a hard link to the file keeps the old words: each page is a new file', async () => {
  const { ada, root } = await mirrored()
  const path = await pathOf(ada)
  const other = join(dirname(root), 'other')
  linkSync(path, other)
  const old = readFileSync(other, 'utf8')
  await ada.notes.edit('monday', '# Title\n\nMine')
  expect(readFileSync(other, 'utf8')).toBe(old)
  expect(readFileSync(path, 'utf8')).toMatch(/Mine$/)
})

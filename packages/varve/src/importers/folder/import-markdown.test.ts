import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openForTest } from '../../../../../test/fixtures/memory/open.ts'
import { documentChars } from '../../documents/document.ts'
import { Cancelled } from '../../errors/cancelled.ts'
import { ImportFailed } from '../../errors/import-failed.ts'
import { importMarkdown } from './import-markdown.ts'
import { longestDocument, maxNoteBytes, usualDocument } from './note.ts'

const root = mkdtempSync(join(tmpdir(), 'varve-vault-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0

/** Makes a folder of these files. */
function vault(files: Readonly<Record<string, string | Uint8Array>>): string {
  count += 1
  const folder = join(root, `vault-${count}`)
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const kiosk = '---\ntitle: "The kiosk"\ntags: [harbour]\n---\n# Hours\nOpens at nine, see [[Projects/Lock 7]].\n'

async function adas() {
  const memory = await openForTest()
  return { memory, ada: memory.for({ project: 'pier', user: 'ada' }) }
}

describe('a folder of Markdown', () => {
  it('becomes documents by their paths, with front matter, titles and links as they are, and recall finds them', async () => {
    const { ada } = await adas()
    const report = await importMarkdown(ada, vault({ 'Kiosk.md': kiosk, 'Projects/Lock 7.markdown': '# Lock 7\nHal keeps the lock.\n' }))
    expect(report).toMatchObject({ format: 'markdown', documents: 2, stored: 2, skipped: {}, repaired: {} })
    expect(await ada.documents.read('Kiosk')).toMatchObject({ content: kiosk, description: 'The kiosk (harbour)', writer: 'markdown' })
    expect(await ada.documents.read('Projects/Lock 7')).toMatchObject({ description: 'Lock 7' })
    expect((await ada.documents.recollect('Who keeps the lock?'))[0]).toMatchObject({ name: 'Projects/Lock 7' })
  })

  it('twice is once; a changed note is a revision, and a document that somebody changed is left as it is', async () => {
    const { ada } = await adas()
    const folder = vault({ 'a.md': 'Opens at nine.', 'b.md': 'Closes at ten.', 'c.md': 'Is green.' })
    await importMarkdown(ada, folder)
    expect(await importMarkdown(ada, folder)).toMatchObject({ documents: 3, stored: 0, updated: 0, unchanged: 3 })
    writeFileSync(join(folder, 'a.md'), 'Opens at eight.')
    writeFileSync(join(folder, 'b.md'), 'Closes at noon.')
    await ada.documents.edit('b', 'Closes at dusk.')
    const report = await importMarkdown(ada, folder)
    expect(report).toMatchObject({ updated: 1, unchanged: 1, skipped: { 'document of another writer': 1 } })
    expect((await ada.documents.read('b'))?.content).toBe('Closes at dusk.')
    expect((await ada.documents.read('a', { revision: 1 }))?.content).toBe('Opens at nine.')
  })

  it('of a project is shared, and a user’s import does not touch it', async () => {
    const { memory, ada } = await adas()
    const folder = vault({ 'rules.md': 'No swimming in the lock.' })
    await importMarkdown(memory.project('pier'), folder)
    expect(await importMarkdown(memory.project('pier'), folder)).toMatchObject({ unchanged: 1 })
    expect(await ada.documents.read('rules')).toMatchObject({ shared: true })
    writeFileSync(join(folder, 'rules.md'), 'Swimming is fine.')
    await importMarkdown(ada, folder)
    expect((await ada.documents.read('rules'))?.content).toBe('Swimming is fine.')
    expect((await memory.for({ project: 'pier', user: 'ben' }).documents.read('rules'))?.content).toBe('No swimming in the lock.')
  })

  it('in a dry run is counted as the import counts it, each time, and nothing is written', async () => {
    const { ada } = await adas()
    const folder = vault({ 'a.md': 'x', 'b.md': 'y', 'c.md': 'z' })
    const counts = async (dryRun: boolean) => ({ ...(await importMarkdown(ada, folder, { dryRun })), ms: 0 })
    for (const change of [() => undefined, () => writeFileSync(join(folder, 'a.md'), 'other'), () => ada.documents.edit('b', 'mine')]) {
      await change()
      const dry = await counts(true)
      expect(dry.stored + dry.updated + Object.keys(dry.skipped).length).toBeGreaterThan(0)
      expect(await counts(true)).toEqual(dry)
      expect(await counts(false)).toEqual(dry)
    }
  })

  it('cut off by its signal is finished by the next run', async () => {
    const { ada } = await adas()
    const folder = vault(Object.fromEntries(Array.from({ length: 9 }, (_none, index) => [`n${index}.md`, `note ${index}`])))
    const stop = new AbortController()
    const running = importMarkdown(ada, folder, { signal: stop.signal, onProgress: ({ done }) => done === 4 && stop.abort() })
    await expect(running).rejects.toThrow(Cancelled)
    expect(await importMarkdown(ada, folder)).toMatchObject({ stored: 5, unchanged: 4 })
  })
})

describe('what a folder may hold', () => {
  it('links, hidden files, attachments, pipes and empty notes are left out and counted: nothing outside is read', async () => {
    const { ada } = await adas()
    const secret = vault({ 'secret.md': 'The door code is 4711.' })
    const folder = vault({
      'a.md': 'x',
      'empty.md': ' \n',
      'pic.png': 'x',
      '.obsidian/plugins/x.md': 'x',
      '.trash/b.md': 'x',
      '.hidden.md': 'x',
    })
    symlinkSync(join(secret, 'secret.md'), join(folder, 'out.md'))
    symlinkSync(secret, join(folder, 'outside'))
    symlinkSync(folder, join(folder, 'loop'))
    spawnSync('mkfifo', [join(folder, 'pipe.md')])
    expect(await importMarkdown(ada, folder)).toMatchObject({
      documents: 1,
      skipped: { 'symbolic link': 3, 'hidden file': 3, attachment: 2, 'empty content': 1 },
    })
    expect(JSON.stringify(await ada.documents.list())).not.toContain('secret')
  })

  it('odd names make names that the store takes, each note its own', async () => {
    const { ada } = await adas()
    const names = ['A-b.md', 'a b.md', '___.md', 'line\nbreak.md', `${'ü'.repeat(120)}.md`, 'Ende ‮dm.md', '~.md', `${'x'.repeat(250)}.md`]
    const notes = Object.fromEntries(names.map((name) => [name, `I am ${JSON.stringify(name)}`]))
    const report = await importMarkdown(ada, vault(notes))
    expect(report).toMatchObject({ stored: names.length, skipped: {} })
    const documents = await ada.documents.list({ limit: 100 })
    expect(documents).toHaveLength(names.length)
    for (const { name } of documents) expect(name).not.toMatch(/[\p{C}]/u)
  })

  it('text of other encodings is read, or mended and counted', async () => {
    const { ada } = await adas()
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße', 'utf16le')])
    const folder = vault({ 'utf16.md': utf16, 'latin1.md': Buffer.from('Grüße', 'latin1'), 'nul.md': 'a\0b', 'mark.md': '\uFEFFmarked' })
    expect(await importMarkdown(ada, folder)).toMatchObject({ stored: 4, repaired: { 'invalid UTF-8 replaced': 1, 'NUL removed': 1 } })
    expect((await ada.documents.read('utf16'))?.content).toBe('Grüße')
    expect((await ada.documents.read('mark'))?.content).toBe('marked')
  })

  it.each([
    [
      'quoted text, a day and a list',
      '---\ntitle: "Boats: a list"\ndate: 2024-02-03\ntags: [boat, water]\n---\n# B\nx',
      'Boats: a list (2024-02-03; boat, water)',
    ],
    ['several lines', '---\ntitle: >-\n  A long\n  title\n---\nx', 'A long title'],
    ['a number, ended by dots', '---\ntitle: 2024\n...\nx', '2024'],
    [
      'words of tags, and a time',
      '---\ntags: "#a b, c"\ncreated: 2023-01-01T10:00:00+02:00\n---\n## Small\nx',
      '## Small (2023-01-01; a, b, c)',
    ],
    ['TOML', '+++\ntitle = "Toml"\ndate = 2024-05-06\n+++\nx', 'Toml (2024-05-06)'],
    ['nothing', '---\n---\nThe lock.\nx', 'The lock.'],
    ['other line ends', '---\r\ntitle: Crlf\r\n---\r\nx', 'Crlf'],
    ['a secret place', '---\n__proto__: { title: Bad }\ntitle: [Bad]\n---\n# Good\nx', 'Good'],
    ['too much', `---\ntitle: ${'t'.repeat(900)}\ntags: [${'g,'.repeat(900)}]\n---\nx`, expect.stringMatching(/^t{200} \(g, .{80,90}\)$/u)],
  ])('a front matter of %s gives the description', async (_name, content, description) => {
    const { ada } = await adas()
    expect(await importMarkdown(ada, vault({ 'a.md': content }))).toMatchObject({ stored: 1, repaired: {} })
    expect(await ada.documents.read('a')).toMatchObject({ description, content: content.replaceAll('\r\n', '\n') })
  })

  it.each([
    ['broken', '{broken: yaml: x'],
    ['deep', '['.repeat(9_000)],
    ['made of aliases', 'a: &a [x,x]\nb: &b [*a,*a]\ntitle: *b'],
    ['a list', '- title: x'],
  ])('a front matter that is %s is counted, and stays in the note', async (_name, front) => {
    const { ada } = await adas()
    const content = `---\n${front}\n---\n# Lock\nx`
    expect(await importMarkdown(ada, vault({ 'a.md': content }))).toMatchObject({ stored: 1, repaired: { 'front matter unreadable': 1 } })
    expect(await ada.documents.read('a')).toMatchObject({ description: 'Lock', content })
  })

  it('a rule above the text is no front matter', async () => {
    const { ada } = await adas()
    await importMarkdown(ada, vault({ 'a.md': '---\nno end\n\n# Lock\nx' }))
    expect(await ada.documents.read('a')).toMatchObject({ description: 'Lock' })
  })

  it('a long note is several documents, and a huge file is left out', async () => {
    const { ada } = await adas()
    const long = Array.from({ length: 6_000 }, (_none, index) => `Line ${index}: the barge lay at lock ${index % 40} for the night.`).join(
      '\n',
    )
    const folder = vault({ 'long.md': long, 'huge.md': Buffer.alloc(maxNoteBytes + 1, 'x') })
    expect(await importMarkdown(ada, folder)).toMatchObject({
      stored: 2,
      skipped: { 'file too large': 1 },
      repaired: { 'content split': 1 },
    })
    const pieces = [await ada.documents.read('long'), await ada.documents.read('long (2)')]
    expect(pieces.map((one) => one?.content ?? '').join('')).toBe(long)
    expect(await importMarkdown(ada, folder)).toMatchObject({ unchanged: 2 })
  })

  it('what is no folder of notes is refused, with what to do', async () => {
    const { ada } = await adas()
    await expect(importMarkdown(ada, join(root, 'none'))).rejects.toThrow(/no such folder/u)
    await expect(importMarkdown(ada, vault({ 'a.txt': 'x' }))).rejects.toThrow(/without Markdown files/u)
    await expect(importMarkdown(ada, vault({ 'a.md': 'x', '.varve-export': '' }))).rejects.toThrow(ImportFailed)
  })

  it('the bounds of a document are those of the store', () => {
    expect([longestDocument, usualDocument]).toEqual([documentChars.most, documentChars.usual])
  })
})

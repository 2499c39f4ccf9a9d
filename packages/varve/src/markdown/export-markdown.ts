import type { UserMemory } from '../memory/user-memory.ts'
import { spokenAs } from '../messages/spoken-as.ts'
import type { List, ListOptions } from '../operations/list.ts'
import { ExportFolder, type ExportFile } from './folder.ts'
import { fileName } from './file-name.ts'
import { inLine, quotedBlock, isoTime } from './quoted.ts'

/** What was written, by kind. */
export interface MarkdownExport {
  readonly folder: string
  readonly files: number
  readonly counts: Readonly<Record<string, number>>
}

type Session = Awaited<ReturnType<UserMemory['sessions']['get']>>

/** Items of a list that are read at once. */
const itemsAtOnce = 200

/**
 * Writes the memory of one user as a folder of Markdown, to be read: sessions, documents, notes, facts, instructions,
 * blocks, gists and the bank, with an index. Only the user's own: nothing that other members of the project wrote. The
 * folder is put in its place when it is whole; an earlier export there goes. Only its owner can read it.
 *
 * @throws {VarveError} OPTION_INVALID for a folder that holds anything else
 *
 * @example await exportMarkdown(memory.for('ada'), './ada')
 */
export async function exportMarkdown(memory: UserMemory, folder: string): Promise<MarkdownExport> {
  const draft = await ExportFolder.begin(folder)
  try {
    const writing = new MarkdownWriting(memory, draft)
    const { files, counts } = await writing.run()
    await draft.finish()
    return { folder, files, counts }
  } catch (error) {
    await draft.drop()
    throw error
  }
}

class MarkdownWriting {
  readonly #memory: UserMemory
  readonly #folder: ExportFolder
  readonly #counts: Record<string, number> = {}
  #files = 1

  constructor(memory: UserMemory, folder: ExportFolder) {
    this.#memory = memory
    this.#folder = folder
  }

  async run() {
    await this.#page('index.md', async (index) => {
      await index.write('# Memory\n')
      await this.#sessions(index)
      await this.#documents(index)
      await this.#notes(index)
      await this.#lists(index)
    })
    return { files: this.#files, counts: this.#counts }
  }

  #page(path: string, fill: (page: ExportFile) => Promise<void>): Promise<void> {
    this.#files += 1
    return this.#folder.page(path, fill)
  }

  #count(kind: string): void {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1
  }

  async #sessions(index: ExportFile): Promise<void> {
    await index.write('\n## Sessions\n\n')
    for await (const session of each((page) => this.#memory.sessions.list(page))) {
      const path = `sessions/${fileName(session.id)}`
      this.#count('session')
      const messages = session.messages === 1 ? '1 message' : `${session.messages} messages`
      await index.write(`- [${inLine(session.name ?? session.id)}](${encodeURI(path)}): ${messages}\n`)
      await this.#page(path, (page) => this.#session(page, session))
    }
  }

  async #session(page: ExportFile, { id, name }: Session): Promise<void> {
    await page.write(`# ${inLine(name ?? id)}\n\nSession: ${inLine(id)}\n`)
    // Pages of messages come newest first: their places are noted, then they are read again from the oldest.
    const ends: number[] = []
    for (let end = Number.MAX_SAFE_INTEGER; ;) {
      const some = await this.#memory.messages(id, { limit: itemsAtOnce, before: end })
      const oldest = some[0]
      if (oldest === undefined) break
      ends.push(end)
      end = oldest.seq
    }
    for (const [place, end] of [...ends.entries()].toReversed()) {
      const from = ends[place + 1] ?? 0
      for (const message of await this.#memory.messages(id, { limit: itemsAtOnce, before: end })) {
        if (message.seq < from) continue
        this.#count('message')
        const who = message.name === undefined ? spokenAs(message) : `${message.name} (${spokenAs(message)})`
        await page.write(`\n## ${message.seq}. ${inLine(who)}, ${isoTime(message.at)}\n\n${quotedBlock(message.content)}`)
      }
    }
  }

  async #documents(index: ExportFile): Promise<void> {
    await index.write('\n## Documents\n\n')
    for await (const { name, shared } of each((page) => this.#memory.documents.list(page))) {
      const document = shared === true ? undefined : await this.#memory.documents.read(name)
      if (document === undefined || document.shared === true) continue
      const path = `documents/${fileName(name)}`
      this.#count('document')
      await index.write(`- [${inLine(name)}](${encodeURI(path)}): ${inLine(document.description)}\n`)
      await this.#page(path, async (page) => {
        await page.write(
          `# ${inLine(name)}\n\nRevision ${document.revision}, ${isoTime(document.updatedAt)}\n\n${quotedBlock(document.content)}`,
        )
      })
    }
  }

  async #notes(index: ExportFile): Promise<void> {
    await index.write('\n## Notes\n\n')
    for await (const { session } of each((page) => this.#memory.notes.list(page))) {
      const notes = await this.#memory.notes.get(session)
      if (notes === undefined) continue
      const path = `notes/${fileName(session)}`
      this.#count('notes')
      await index.write(`- [${inLine(session)}](${encodeURI(path)})\n`)
      await this.#page(path, (page) => page.write(`# Notes of ${inLine(session)}\n\n${quotedBlock(notes.content)}`))
    }
  }

  async #lists(index: ExportFile): Promise<void> {
    await index.write('\n## Lists\n\n')
    const { facts, instructions, blocks, gists, bank, sessions } = this.#memory
    await this.#list(
      index,
      'fact',
      'Facts',
      (page) => facts.list(page),
      (fact) => {
        const until = fact.validUntil === undefined ? '' : ` until ${isoTime(fact.validUntil)}`
        const said = `${inLine(`${fact.subject} ${fact.predicate} ${fact.object}`)} (since ${isoTime(fact.validFrom)}${until}`
        const sources = fact.sources.map(
          (one) => `  - “${inLine(one.text)}”: ${inLine(one.session)}, message ${one.seq}, ${isoTime(one.at)}\n`,
        )
        return `- ${said}; by ${inLine(fact.writer)})\n${sources.join('')}`
      },
    )
    await this.#list(
      index,
      'instruction',
      'Instructions',
      (page) => instructions.list(page),
      ({ text, since, by }) => {
        return `## ${inLine(by)}, ${isoTime(since)}\n\n${quotedBlock(text)}\n`
      },
    )
    await this.#list(
      index,
      'block',
      'Blocks',
      (page) => blocks.list(page),
      ({ name, text, scope }) => {
        return scope === 'project' ? undefined : `## ${inLine(name)}\n\n${quotedBlock(text)}\n`
      },
    )
    await this.#page('session-blocks.md', async (page) => {
      await page.write('# Blocks of sessions\n\n')
      for await (const { id } of each((some) => sessions.list(some)))
        for await (const block of each((some) => blocks.list({ ...some, session: id }))) {
          if (block.scope !== 'session') continue
          this.#count('block')
          await page.write(`## ${inLine(block.name)}, in ${inLine(id)}\n\n${quotedBlock(block.text)}\n`)
        }
    })
    await index.write('- [Blocks of sessions](session-blocks.md)\n')
    await this.#list(
      index,
      'gist',
      'Gists',
      (page) => gists.list(page),
      ({ session, at, text }) => {
        return `## ${inLine(session)}, ${isoTime(at)}\n\n${quotedBlock(text)}\n`
      },
    )
    await this.#list(
      index,
      'bank',
      'Bank',
      (page) => bank.entries(page),
      ({ granularity, period, bullets }) => {
        return `## ${inLine(granularity)} ${inLine(period)}\n\n${bullets.map((bullet) => `- ${inLine(bullet)}\n`).join('')}\n`
      },
    )
  }

  async #list<Item>(
    index: ExportFile,
    kind: string,
    title: string,
    list: (page: ListOptions) => PromiseLike<List<Item>>,
    textOf: (item: Item) => string | undefined,
  ): Promise<void> {
    const path = `${title.toLowerCase()}.md`
    await index.write(`- [${title}](${path})\n`)
    await this.#page(path, async (page) => {
      await page.write(`# ${title}\n\n`)
      for await (const item of each(list)) {
        const text = textOf(item)
        if (text === undefined) continue
        this.#count(kind)
        await page.write(text)
      }
    })
  }
}

/** Gives the items of a list, page by page. */
async function* each<Item>(list: (page: ListOptions) => PromiseLike<List<Item>>): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const page: List<Item> = await list({ limit: itemsAtOnce, ...(cursor === undefined ? {} : { cursor }) })
    yield* page
    cursor = page.cursor
  } while (cursor !== undefined)
}

import type { CallOptions } from './call.ts'
import { InvalidOption } from './errors/invalid-option.ts'
import type { Gist } from './gists/gist.ts'
import type { LayerCalls } from './layer-calls.ts'
import { type List, listOf, type ListOptions, listRequest } from './list.ts'
import { checkText } from './messages/validate.ts'
import type { Recalled } from './recall/hit.ts'
import type { RecallOptions } from './recall/request.ts'
import { shown } from './scope/name.ts'
import { sessionName } from './scope/partition.ts'

/** The longest gist that a person may write, in bytes of UTF-8, and bullet lists as long. */
const maxWrittenBytes = 16_384

/** What each of a user's sessions was about. */
export class UserGists {
  readonly #calls: LayerCalls

  constructor(calls: LayerCalls) {
    this.#calls = calls
  }

  /** A session's gist; undefined while it has none. NotFound for a session that is not there. */
  async get(session: string, options: CallOptions = {}): Promise<Gist | undefined> {
    const name = sessionName(session)
    return this.#calls.guarded('gists', options, ({ engine, partition }) => engine.read('gists.get', partition, name))
  }

  /**
   * The newest talk first. Default limit 100. A list of over 16 MiB of text ends early; its own `cursor` says where the next one goes on,
   * when there are more.
   */
  async list(options: CallOptions & ListOptions = {}): Promise<List<Gist>> {
    const request = listRequest(options, { usual: 100, most: 100_000 })
    return listOf(await this.#calls.guarded('gists', options, ({ engine, partition }) => engine.read('gists.list', partition, request)))
  }

  /** Finds sessions by their gists: hits of kind `gist`. Default limit 3. */
  recall(query: string, options: Omit<RecallOptions, 'kinds'> & CallOptions = {}): Promise<Recalled> {
    return this.#calls.recall(query, { limit: 3, ...options, kinds: ['gist'] })
  }

  /**
   * Puts a person's words in the place of a session's gist. They stand for what was said so far; what is said later
   * is added to them; forgetting any of it forgets them too.
   */
  async write(session: string, text: string, options: CallOptions = {}): Promise<Gist> {
    const name = sessionName(session)
    const lines = writtenLines('text', text)
    return this.#calls.guarded('gists', options, async ({ engine, partition, hint }) => {
      await engine.write('gists.write', partition, name, lines)
      hint()
      const gist = await engine.read('gists.get', partition, name)
      if (gist === undefined) throw new InvalidOption({ option: 'text', received: shown(text), expected: 'words' })
      return gist
    })
  }

  /** Reads the session now, whether it is due or not, and gives back its gist; undefined when it says nothing. */
  async distil(session: string, options: CallOptions = {}): Promise<Gist | undefined> {
    await this.#calls.distil(session, options)
    return this.get(session, options)
  }

  /** How many messages wait to be read: of a session, or of all. NotFound for a session that is not there. */
  async pending(session?: string, options: CallOptions = {}): Promise<number> {
    const name = session === undefined ? undefined : sessionName(session)
    return this.#calls.guarded('gists', options, ({ engine, partition }) => engine.read('gists.pending', partition, name))
  }
}

/** A person's text as lines, each without blanks around it; InvalidOption for what holds no words. */
export function writtenLines(option: string, received: unknown): string[] {
  checkText(option, received, maxWrittenBytes, (field, reason) => {
    throw new InvalidOption({ option: field, received: shown(received), expected: `text, but it ${reason}` })
  })
  const lines = String(received)
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .map((line) => line.replace(/^\s*[-*•]\s+/, '').trim())
    .filter((line) => line !== '')
  if (lines.length === 0) throw new InvalidOption({ option, received: shown(received), expected: 'words' })
  return lines
}

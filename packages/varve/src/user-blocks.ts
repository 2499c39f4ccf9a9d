import { type Block, blockChars, type BlockRevision, maxBlocks, revisionsKept } from './blocks/block.ts'
import { type BlockTools, blockTools, type ToolCall } from './blocks/tools.ts'
import { blockName, blockSeparator, blockText } from './blocks/validate.ts'
import type { BlockWriter } from './blocks/write-block.ts'
import type { CallOptions } from './call.ts'
import { InvalidOption } from './errors/invalid-option.ts'
import type { LayerCalls, LayerGround } from './layer-calls.ts'
import { listOf } from './list.ts'
import { byHand } from './models/writer.ts'
import { shown } from './scope/name.ts'
import { givenObject, inRange, refuseUnknown } from './scope/options.ts'
import { type SessionName, sessionName } from './scope/partition.ts'
import type { Receipt } from './storage/erase/receipts.ts'

/** Which blocks are meant: a session's, or without one the user's own (on a project's handle, those that it shares). */
export interface BlockOptions extends CallOptions {
  readonly session?: string
}

/** A name that is misspelt, or a session that is not known, must not widen what is written. */
const blockOptions: ReadonlySet<string> = new Set(['session', 'maxChars', 'separator', 'limit', 'writer', 'signal', 'deadlineMs'])

/** Named pieces of working memory, in an order. Each call names a session for the blocks of that session alone. */
export class Blocks {
  readonly #calls: Pick<LayerCalls, 'guarded'>
  readonly #isProject: boolean

  constructor(calls: Pick<LayerCalls, 'guarded'>, { isProject }: { isProject: boolean }) {
    this.#calls = calls
    this.#isProject = isProject
  }

  /** In their order: the user's own, then those of the project (`shared`); with a session, that session's. */
  async list(options: BlockOptions = {}): Promise<readonly Block[]> {
    const session = this.#session(options)
    // The user's own, and as many of the project.
    const read = ({ engine, partition }: LayerGround) => engine.read('blocks.list', partition, session, { limit: 2 * maxBlocks })
    return listOf(await this.#guarded(options, read))
  }

  /** The user's own block, or else the project's; with a session, that session's. Undefined when there is none. */
  async get(name: string, options: BlockOptions = {}): Promise<Block | undefined> {
    const [checked, session] = [blockName(name), this.#session(options)]
    return this.#guarded(options, ({ engine, partition }) => engine.read('blocks.get', partition, checked, session))
  }

  /**
   * Puts a text in a block's place; a new block goes last. `maxChars` (1 to 100,000, `text.length`) is kept when it
   * is left out, 5,000 at first. LimitExceeded for a longer text, or a hundred-and-first block; nothing is changed
   * then. A session that is not there is made.
   */
  async set(name: string, text: string, options: BlockOptions & { maxChars?: number } = {}): Promise<Block> {
    return this.#set(name, text, options, { writer: byHand, during: undefined })
  }

  /** Adds to a block, `separator` (default: a new line) between; makes it when there is none. LimitExceeded when it would be too long. */
  async append(name: string, text: string, options: BlockOptions & { separator?: string } = {}): Promise<Block> {
    return this.#append(name, text, options, { writer: byHand, during: undefined })
  }

  /** Erases a block with all of its revisions. NotFound when there is none. */
  async delete(name: string, options: BlockOptions = {}): Promise<Receipt> {
    const address = { name: blockName(name), session: this.#session(options) }
    return this.#guarded(options, async ({ engine, partition, finishErasure }) =>
      finishErasure((await engine.write('blocks.delete', partition, address)).receipt),
    )
  }

  /** Puts the named blocks first, in that order; the others keep theirs. Gives back all of them. */
  async reorder(names: readonly string[], options: BlockOptions = {}): Promise<readonly Block[]> {
    if (!Array.isArray(names)) throw new InvalidOption({ option: 'names', received: shown(names), expected: 'a list of names' })
    const [checked, session] = [Array.from(names, (name) => blockName(name, 'names')), this.#session(options)]
    return this.#guarded(options, ({ engine, partition }) => engine.write('blocks.reorder', partition, checked, session))
  }

  /** What a block said, the newest first: the last 100 texts are kept. NotFound when there is no such block. */
  async revisions(name: string, options: BlockOptions & { limit?: number } = {}): Promise<readonly BlockRevision[]> {
    const [checked, session] = [blockName(name), this.#session(options)]
    const limit = inRange('limit', options.limit ?? revisionsKept, 1, revisionsKept, true)
    const read = ({ engine, partition }: LayerGround) => engine.read('blocks.revisions', partition, checked, session, { limit })
    return listOf(await this.#guarded(options, read))
  }

  /** Has a block say again what it said in a revision, which makes a new one. NotFound for a block or a revision that is not there. */
  async restore(name: string, revision: number, options: BlockOptions = {}): Promise<Block> {
    const address = { name: blockName(name), session: this.#session(options) }
    const number = inRange('revision', revision, 1, Number.MAX_SAFE_INTEGER, true)
    return this.#written(options, ({ engine, partition }) =>
      engine.write('blocks.restore', partition, address, number, { writer: byHand, during: undefined }),
    )
  }

  /**
   * Tools of the AI SDK by which an agent lists, sets, appends to and deletes the blocks of all conversations, and
   * with a session those of that one as well. What they write has `writer` (default `agent`) in its revision, and the
   * session's messages so far as its lineage.
   *
   * @example generateText({ model, prompt, tools: ada.blocks.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): BlockTools {
    const session = this.#session(options)
    const by = { writer: blockName(options.writer ?? 'agent', 'writer'), during: session }
    const where = ({ inSession, signal }: ToolCall): BlockOptions => ({
      ...(inSession && session !== undefined ? { session } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
    return blockTools(
      {
        list: (call) => this.list(where(call)),
        set: (name, text, call) => this.#set(name, text, where(call), by),
        append: (name, text, call) => this.#append(name, text, where(call), by),
        delete: async (name, call) => this.delete(blockName(name), where(call)),
      },
      session !== undefined,
    )
  }

  async #set(name: unknown, text: unknown, options: BlockOptions & { maxChars?: number }, by: BlockWriter): Promise<Block> {
    const address = { name: blockName(name), session: this.#session(options) }
    const maxChars =
      options.maxChars === undefined ? undefined : inRange('maxChars', options.maxChars, blockChars.least, blockChars.most, true)
    const change = { text: blockText(text), maxChars }
    return this.#written(options, ({ engine, partition }) => engine.write('blocks.set', partition, address, change, by))
  }

  async #append(name: unknown, text: unknown, options: BlockOptions & { separator?: string }, by: BlockWriter): Promise<Block> {
    const address = { name: blockName(name), session: this.#session(options) }
    const change = { text: blockText(text), separator: blockSeparator(options.separator ?? '\n') }
    return this.#written(options, ({ engine, partition }) => engine.write('blocks.append', partition, address, change, by))
  }

  /** There is something new to find by its meaning. */
  #written(options: CallOptions, work: (ground: LayerGround) => Promise<Block>): Promise<Block> {
    return this.#guarded(options, async (ground) => {
      const block = await work(ground)
      ground.hint()
      return block
    })
  }

  #guarded<Result>(options: CallOptions, work: (ground: LayerGround) => Promise<Result>): Promise<Result> {
    return this.#calls.guarded('blocks', options, work)
  }

  #session(options: { readonly session?: string }): SessionName | undefined {
    refuseUnknown(options, blockOptions)
    const { session } = givenObject('options', options)
    if (session === undefined && !Object.hasOwn(options, 'session')) return undefined
    if (this.#isProject)
      throw new InvalidOption({ option: 'session', received: shown(session), expected: 'left out: what a project shares is of no session' })
    return sessionName(session)
  }
}

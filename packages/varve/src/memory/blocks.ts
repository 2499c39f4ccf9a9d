import type { Block, BlockRevision } from '../blocks/block.ts'
import { blockOperations } from '../operations/blocks.ts'
import type { Listing, ListOptions } from '../operations/list.ts'
import type { PartitionMeans } from '../operations/means.ts'
import type { CallOptions } from '../operations/call-options.ts'
import { type BlockTools, blockTools } from '../operations/tools/blocks.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Calls } from './calls/calls.ts'

/** Which blocks are meant: a session's; without one the user's own, on a project's handle the shared ones. */
export interface BlockOptions extends CallOptions {
  readonly session?: string
}

/** Named pieces of working memory, in an order. Each call names a session for the blocks of that session alone. */
export class Blocks {
  readonly #calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.#calls = calls
  }

  /** In their order: the user's own, then those of the project (`shared`); with a session, that session's. */
  list(options: BlockOptions & ListOptions = {}): Listing<Block> {
    return this.#calls.list(blockOperations.list, {}, options)
  }

  /** The user's own block, or else the project's; with a session, that session's. Undefined when there is none. */
  get(name: string, options: BlockOptions = {}): Promise<Block | undefined> {
    return this.#calls.call(blockOperations.get, { name }, options)
  }

  /**
   * Puts a text in a block's place; a new block goes last. `maxChars` (1 to 100,000, `text.length`) is kept when it
   * is left out, 5,000 at first. LimitExceeded for a longer text, or a hundred-and-first block; nothing is changed
   * then. A session that is not there is made.
   */
  set(name: string, text: string, options: BlockOptions & { maxChars?: number | undefined } = {}): Promise<Block> {
    return this.#calls.call(blockOperations.set, { name, text }, options)
  }

  /** Adds to a block, `separator` (default: a new line) between; makes it when there is none. LimitExceeded when it would be too long. */
  append(name: string, text: string, options: BlockOptions & { separator?: string | undefined } = {}): Promise<Block> {
    return this.#calls.call(blockOperations.append, { name, text }, options)
  }

  /** Erases a block with all of its revisions. NotFound when there is none. */
  delete(name: string, options: BlockOptions = {}): Promise<Receipt> {
    return this.#calls.call(blockOperations.delete, { name }, options)
  }

  /** Puts the named blocks first, in that order; the others keep theirs. Gives back all of them. */
  reorder(names: readonly string[], options: BlockOptions = {}): Promise<readonly Block[]> {
    return this.#calls.call(blockOperations.reorder, { names }, options)
  }

  /** What a block said, the newest first: the last 100 texts are kept. NotFound when there is no such block. */
  revisions(name: string, options: BlockOptions & ListOptions = {}): Listing<BlockRevision> {
    return this.#calls.list(blockOperations.revisions, { name }, options)
  }

  /** Has a block say again what it said in a revision, which makes a new one. NotFound for a block or a revision that is not there. */
  restore(name: string, revision: number, options: BlockOptions = {}): Promise<Block> {
    return this.#calls.call(blockOperations.restore, { name, revision }, options)
  }

  /**
   * Tools of the AI SDK by which an agent lists, sets, appends to and deletes the blocks of all conversations, and
   * with a session those of that one as well. What they write has `writer` (default `agent`) in its revision, and the
   * session's messages so far as its lineage.
   *
   * @example generateText({ model, prompt, tools: ada.blocks.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): BlockTools {
    return blockTools((operation, input, call) => this.#calls.call(operation, input, call), options)
  }
}

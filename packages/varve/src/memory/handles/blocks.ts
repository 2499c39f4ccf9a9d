// Written from operations/blocks.ts by `npm run api`. Do not edit.
import type { Block, BlockRevision } from '../../blocks/block.ts'
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import { blockOperations } from '../../operations/blocks.ts'

/** Options of `blocks.list`. */
export interface BlocksListOptions extends CallOptions, ListOptions {
  /** The blocks of this session alone. */
  readonly session?: string
}

/** Options of `blocks.get`, `blocks.reorder`. */
export interface BlockOptions extends CallOptions {
  /** The blocks of this session alone. */
  readonly session?: string
}

/** Options of `blocks.set`. */
export interface BlocksSetOptions extends CallOptions {
  /** The blocks of this session alone. */
  readonly session?: string
  /** The most characters. Default: as it was; 5,000 of a new one. From 1 to 100,000. */
  readonly maxChars?: number | undefined
  /** The revision on which the edit was made; 0 for a block that is not there. Default: any. */
  readonly revision?: number | undefined
  /** The name that the revision bears. */
  readonly writer?: string | undefined
  /** The session from which an agent writes: its messages so far are the lineage. */
  readonly during?: string
}

/** Options of `blocks.append`. */
export interface BlocksAppendOptions extends CallOptions {
  /** The blocks of this session alone. */
  readonly session?: string
  /** The text in between. Default: a new line. */
  readonly separator?: string | undefined
  /** The name that the revision bears. */
  readonly writer?: string | undefined
  /** The session from which an agent writes: its messages so far are the lineage. */
  readonly during?: string
}

/** Options of `blocks.delete`. */
export interface BlocksDeleteOptions extends CallOptions {
  /** The blocks of this session alone. */
  readonly session?: string
  /** Only if this revision stands. Default: any. */
  readonly expectedRevision?: number | undefined
}

/** Options of `blocks.revisions`. */
export interface BlocksRevisionsOptions extends CallOptions, ListOptions {
  /** The blocks of this session alone. */
  readonly session?: string
}

/** Options of `blocks.restore`. */
export interface BlocksRestoreOptions extends CallOptions {
  /** The blocks of this session alone. */
  readonly session?: string
  /** Only if this revision stands. Default: any. */
  readonly expectedRevision?: number | undefined
}

/** Named pieces of working memory, in an order. A call with a session means the blocks of that session alone. */
export class BlockMethods {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Lists blocks in their order: the user’s own, then those of the project (`shared`). With a session, it lists the
   * blocks of that session. A page has at most 200 items by default.
   */
  list(options: BlocksListOptions = {}): Listing<Block> {
    return this.calls.list(blockOperations.list, {}, options)
  }

  /**
   * Reads the user’s own block, or else the project’s; with a session, that session’s. Undefined when there is none.
   *
   * @param name The name of the block.
   */
  get(name: string, options: BlockOptions = {}): Promise<Block | undefined> {
    return this.calls.call(blockOperations.get, { name }, options)
  }

  /**
   * Replaces the text of a block. A new block goes last. Makes the session when it is new. LimitExceeded for a text that
   * is too long, or for a 101st block, and then nothing changes.
   *
   * @param name The name of the block.
   * @param text The text.
   * @throws {VarveError} LIMIT_EXCEEDED, STALE_REVISION
   */
  set(name: string, text: string, options: BlocksSetOptions = {}): Promise<Block> {
    return this.calls.call(blockOperations.set, { name, text }, options)
  }

  /**
   * Adds a text to a block. Makes the block when there is none. LimitExceeded when the block would be too long.
   *
   * @param name The name of the block.
   * @param text The text.
   * @throws {VarveError} LIMIT_EXCEEDED
   */
  append(name: string, text: string, options: BlocksAppendOptions = {}): Promise<Block> {
    return this.calls.call(blockOperations.append, { name, text }, options)
  }

  /**
   * Erases a block with all of its revisions.
   *
   * @param name The name of the block.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  delete(name: string, options: BlocksDeleteOptions = {}): Promise<Receipt> {
    return this.calls.call(blockOperations.delete, { name }, options)
  }

  /**
   * Puts the named blocks first, in that order; the others keep theirs. Gives back all of them.
   *
   * @param names The names of blocks, first to last.
   * @throws {VarveError} NOT_FOUND
   */
  reorder(names: readonly string[], options: BlockOptions = {}): Promise<readonly Block[]> {
    return this.calls.call(blockOperations.reorder, { names }, options)
  }

  /**
   * Lists the texts that a block had, the newest first. The last 100 are kept. A page has at most 100 items by default.
   *
   * @param name The name of the block.
   * @throws {VarveError} NOT_FOUND
   */
  revisions(name: string, options: BlocksRevisionsOptions = {}): Listing<BlockRevision> {
    return this.calls.list(blockOperations.revisions, { name }, options)
  }

  /**
   * Gives a block the text of an earlier revision. This makes a new revision.
   *
   * @param name The name of the block.
   * @param revision The number of the revision.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  restore(name: string, revision: number, options: BlocksRestoreOptions = {}): Promise<Block> {
    return this.calls.call(blockOperations.restore, { name, revision }, options)
  }
}

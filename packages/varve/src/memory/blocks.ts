import { type BlockTools, blockTools } from '../operations/tools/blocks.ts'
import { BlockMethods } from './handles/blocks.ts'

/** Named pieces of working memory, in an order. A call with a session means the blocks of that session alone. */
export class Blocks extends BlockMethods {
  /**
   * Tools of the AI SDK by which an agent lists, sets, appends to and deletes the blocks of all conversations, and
   * with a session those of that one as well. What they write has `writer` (default `agent`) in its revision, and the
   * session's messages so far as its lineage.
   *
   * @example generateText({ model, prompt, tools: ada.blocks.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): BlockTools {
    return blockTools((operation, input, call) => this.calls.call(operation, input, call), options)
  }
}

import { type BlockTools, blockTools } from '../operations/tools/blocks.ts'
import { BlockMethods } from './handles/blocks.ts'

/** Named pieces of working memory, in an order. A call with a session means the blocks of that session alone. */
export class Blocks extends BlockMethods {
  /**
   * Gives tools of the AI SDK by which an agent lists, sets, appends to and deletes blocks. They work on the blocks of all
   * conversations; with `session`, also on those of that session. A revision that an agent writes names `writer` (default
   * `agent`). Its lineage is the session's messages so far.
   *
   * @example generateText({ model, prompt, tools: ada.blocks.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): BlockTools {
    return blockTools((operation, input, call) => this.calls.call(operation, input, call), options)
  }
}

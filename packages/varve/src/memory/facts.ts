import { type FactTools, factTools } from '../operations/tools/facts.ts'
import { UserFacts } from './handles/facts.ts'

/** Facts of the user, and of others that the user spoke of. */
export class Facts extends UserFacts {
  /**
   * Gives tools of the AI SDK by which an agent lists, finds, adds, corrects and retracts facts. What it writes names
   * `writer` (default `agent`) and no message: it is never taken for a person's words. With `session`, it goes with that
   * session, and always with forgotten messages whose telling words it has.
   *
   * @example generateText({ model, prompt, tools: ada.facts.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): FactTools {
    return factTools((operation, input, call) => this.calls.call(operation, input, call), options)
  }
}

import { type InstructionTools, instructionTools } from '../operations/tools/instructions.ts'
import { UserInstructions } from './handles/instructions.ts'

/** What the user wants done from now on, in the user's words. */
export class Instructions extends UserInstructions {
  /**
   * Gives tools of the AI SDK by which an agent lists instructions, notes its own, and takes them back. What it notes names
   * `writer` (default `agent`): it is never shown as the user's words, and ends none of them.
   * With `session`, it goes with that session, and always with forgotten messages whose telling words it has.
   *
   * @example generateText({ model, prompt, tools: ada.instructions.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): InstructionTools {
    return instructionTools((operation, input, call) => this.calls.call(operation, input, call), options)
  }
}

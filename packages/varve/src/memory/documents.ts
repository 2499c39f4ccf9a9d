import { type DocumentTools, documentTools } from '../operations/tools/documents.ts'
import { DocumentMethods } from './handles/documents.ts'

/** Named markdown pages of knowledge, each with its revisions. */
export class Documents extends DocumentMethods {
  /**
   * Gives tools of the AI SDK by which an agent lists, reads, recollects and edits documents. A revision that an agent
   * writes names `writer` (default `agent`). With `session`, that session's messages so far are its lineage, and a user's
   * agent can also memorize that session, as `memorize` does.
   *
   * @example generateText({ model, prompt, tools: ada.documents.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): DocumentTools {
    const isProjects = this.calls.means.partition.owner.kind === 'shared'
    return documentTools((operation, input, call) => this.calls.call(operation, input, call), options, isProjects)
  }
}

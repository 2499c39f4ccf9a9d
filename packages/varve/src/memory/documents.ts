import { type DocumentTools, documentTools } from '../operations/tools/documents.ts'
import { DocumentMethods } from './handles/documents.ts'

/** Named markdown pages of knowledge, each with its revisions. */
export class Documents extends DocumentMethods {
  /**
   * Tools of the AI SDK by which an agent lists, reads, recollects and edits documents. What they write has `writer`
   * (default `agent`) in its revision, and with a session that session's messages so far as its lineage.
   *
   * @example generateText({ model, prompt, tools: ada.documents.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): DocumentTools {
    const isProjects = this.calls.means.partition.owner.kind === 'shared'
    return documentTools((operation, input, call) => this.calls.call(operation, input, call), options, isProjects)
  }
}

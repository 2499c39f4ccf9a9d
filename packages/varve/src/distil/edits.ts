import { withAllFacts } from '../documents/standing-facts.ts'
import type { DocumentWrite } from '../documents/work-in.ts'
import { redact } from '../redaction/redact.ts'
import { type DistilStore, promptMark, sized } from './distil-store.ts'
import type { SizedPrompt } from './asked-model.ts'
import { type DocumentEdit, documentEdits, extractEdits, type PendingSubject, pendingSubjects } from './pending-documents.ts'
import { underSpeakers } from './plain-subjects.ts'
import { editorPrompt, editorRetry } from '../tasks/editor-prompt.ts'
import { type EditOutcome, type FailedEdit, parseEdits } from '../tasks/parse-edits.ts'
import { problems } from '../tasks/problem.ts'

/** Edits documents: makes the requests to an editor, and reads its answers. */
export class Edits {
  readonly #store: DistilStore

  constructor(store: DistilStore) {
    this.#store = store
  }

  subjects(partition: number): Promise<readonly PendingSubject[]> {
    return this.#store.read(pendingSubjects(partition))
  }

  underSpeakers(partition: number, subjects: readonly PendingSubject[]): Promise<readonly PendingSubject[]> {
    return this.#store.read(underSpeakers(partition, subjects))
  }

  of(partition: number, subjects: readonly PendingSubject[], timeZone: string): Promise<readonly DocumentEdit[]> {
    return this.#store.read(documentEdits(partition, subjects, timeZone))
  }

  async ask({ name, description, content, revision, maxChars, facts }: DocumentEdit, failed?: FailedEdit): Promise<SizedPrompt> {
    const said = facts.map(({ fact }) => fact)
    const {
      texts: [harmless = '', about = '', title = '', ...told],
    } = await redact([content, description, name, ...said], 'model')
    const options = { mark: promptMark(this.#store), maxCharacters: maxChars }
    const shown = facts.map((each, place) => ({ ...each, fact: told[place] ?? '' }))
    const prompt = editorPrompt({ name: title, description: about, content: harmless, revision }, shown, options)
    return failed === undefined ? sized(prompt) : sized(editorRetry(prompt, failed, options), true)
  }

  /** Reads an editor's answer. Facts that its document would not tell are added to it. */
  parse(edit: DocumentEdit, object: Readonly<Record<string, unknown>>): EditOutcome {
    const edited = parseEdits(object, edit, edit.facts, edit.maxChars)
    if (!('content' in edited)) return edited
    const content = withAllFacts(edited.content, edit.facts)
    if (content === undefined) return { problem: problems.calls }
    return content.length > edit.maxChars ? { tooLong: content.length } : { ...edited, content }
  }

  extract(edit: DocumentEdit): readonly DocumentWrite[] {
    return extractEdits(edit)
  }
}

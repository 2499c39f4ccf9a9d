import type { CallOptions } from './call.ts'
import { type Document, documentChars, type DocumentEntry, maxDocuments } from './documents/document.ts'
import type { DocumentWriter } from './documents/write-documents.ts'
import { type DocumentTools, documentTools } from './documents/tools.ts'
import { agentName, documentName, documentText, pageEdits } from './documents/validate.ts'
import { InvalidOption } from './errors/invalid-option.ts'
import { type List, listOf, type ListOptions, listRequest } from './list.ts'
import type { LayerCalls, LayerGround } from './layer-calls.ts'
import { byHand } from './models/writer.ts'
import type { PageEdit } from './pages/page-edit.ts'
import type { PageRevision } from './pages/revision.ts'
import { pageRevisionsKept } from './pages/page-bounds.ts'
import { shown } from './scope/name.ts'
import { leastOfDocuments, tellingDocuments } from './recall/telling-documents.ts'
import { givenObject, inRange, refuseUnknown } from './scope/options.ts'
import { type SessionName, sessionName } from './scope/partition.ts'
import type { Receipt } from './storage/erase/receipts.ts'

/** A document of which a passage has to do with the question. */
export interface RecollectedDocument {
  readonly id: string
  readonly name: string
  readonly description: string
  /** What of it was found. */
  readonly passage: string
  readonly score: number
  readonly revision: number
  readonly updatedAt: number
  readonly shared?: true
}

export interface EditOptions extends CallOptions {
  /** The revision that the edit was made on; 0: there is none yet. StaleRevision when another one stands. Left out: whatever stands. */
  readonly revision?: number
  /** What the document is about, in a sentence. Left out: it is made of the content. */
  readonly description?: string
  /** The most characters of its content, 200 to 200,000. Default 16,000; kept when it is left out. */
  readonly maxChars?: number
}

/** What memorizing a session came to. */
export interface Memorized {
  /** What was said of subjects and got into documents: of this session, and what waited. */
  readonly facts: number
  /** Documents that were made or changed. */
  readonly documents: readonly { readonly name: string; readonly revision: number }[]
  /** What was read and waits: a model that was to edit failed, and is asked again by upkeep (`upkeep.status().failures` tells why). */
  readonly waiting: number
}

const options: ReadonlySet<string> = new Set(['revision', 'description', 'maxChars', 'limit', 'minScore', 'signal', 'deadlineMs'])
const revisionsOptions: ReadonlySet<string> = new Set(['limit', 'cursor', 'signal', 'deadlineMs'])
const mostRecollected = 100

type Calls = Pick<LayerCalls, 'guarded' | 'recall'> & { memorize?(session: SessionName, options: CallOptions): Promise<Memorized> }

/** Named markdown pages of knowledge, each with its revisions. */
export class Documents {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /** The user's own documents, then those of the project (`shared`); of each the last changed first. Default limit 100. */
  async list(given: CallOptions & { limit?: number } = {}): Promise<readonly DocumentEntry[]> {
    const limit = inRange('limit', this.#known(given).limit ?? 100, 1, maxDocuments, true)
    const read = ({ engine, partition }: LayerGround) => engine.read('documents.list', partition, { limit })
    return listOf(await this.#calls.guarded('documents', given, read))
  }

  /** The user's own document, or else the project's, as it stands; with `revision`, as it stood. Undefined when there is none. */
  async read(name: string, given: CallOptions & { revision?: number } = {}): Promise<Document | undefined> {
    const [checked, { revision }] = [documentName(name), this.#known(given)]
    const number = revision === undefined ? undefined : inRange('revision', revision, 1, Number.MAX_SAFE_INTEGER, true)
    return this.#calls.guarded('documents', given, ({ engine, partition }) => engine.read('documents.read', partition, checked, number))
  }

  /**
   * Documents by what is in them, the best first, each with the passage that was found. Default limit 5, minScore .3,
   * or .2 where there is no vector to compare and words alone tell; an empty list when nothing has to do with the
   * question.
   */
  async recollect(query: string, given: CallOptions & { limit?: number; minScore?: number } = {}): Promise<readonly RecollectedDocument[]> {
    const { limit, minScore } = this.#known(given)
    const bounds = {
      limit: inRange('limit', limit ?? 5, 1, mostRecollected, true),
      minScore: inRange('minScore', minScore ?? leastOfDocuments.byWords, 0, 1, false),
    }
    const { hits } = await this.#calls.recall(query, { ...callOf(given), kinds: ['document'], ...bounds })
    return (minScore === undefined ? tellingDocuments(hits) : hits)
      .filter((hit) => hit.kind === 'document')
      .map(({ id, name, description, text, score, revision, at, shared }) => ({
        id,
        name,
        description,
        passage: text,
        score,
        revision,
        updatedAt: at,
        ...(shared === true ? { shared } : {}),
      }))
  }

  /**
   * Puts a content in a document's place, or makes edits of what stands: all of them, or none. A document that is not there is made.
   * InvalidOption for an edit that cannot be made, with the valid range; StaleRevision; LimitExceeded.
   *
   * @example await ada.documents.edit('Harbour office', [{ tool: 'append', text: '- opens at 8' }], { revision: 3 })
   */
  async edit(name: string, change: string | readonly PageEdit[], given: EditOptions = {}): Promise<Document> {
    return this.#edit(name, change, given, { writer: byHand, isTool: false, during: undefined })
  }

  /**
   * What a document said, the newest first, each with its difference from the one before. The words of the last 200 are kept. Over 16 MiB
   * of text end early, with a `cursor`. NotFound when there is no such document.
   */
  async revisions(name: string, given: CallOptions & ListOptions = {}): Promise<List<PageRevision>> {
    const [checked, request] = [documentName(name), listRequest(given, { usual: 20, most: pageRevisionsKept, known: revisionsOptions })]
    const read = ({ engine, partition }: LayerGround) => engine.read('documents.revisions', partition, checked, request)
    return listOf(await this.#calls.guarded('documents', given, read))
  }

  /**
   * Has a document say again what it said in a revision, which makes a new one. NotFound for a document or a revision
   * that is not there.
   */
  async restore(name: string, revision: number, given: CallOptions = {}): Promise<Document> {
    const [checked, number] = [documentName(name), inRange('revision', revision, 1, Number.MAX_SAFE_INTEGER, true)]
    return this.#written(given, ({ engine, partition }) => engine.write('documents.restore', partition, checked, number, byHand))
  }

  /** Erases a document with all of its revisions; what was read for it is not worked into another. NotFound when there is none. */
  async delete(name: string, given: CallOptions = {}): Promise<Receipt> {
    const checked = documentName(name)
    this.#known(given)
    return this.#calls.guarded('documents', given, async ({ engine, partition, finishErasure }) =>
      finishErasure((await engine.write('documents.delete', partition, checked)).receipt),
    )
  }

  /**
   * Reads what is new in a session, whether the layer is on or not, and works it into documents. NotFound for a
   * session that is not there.
   */
  async memorize(session: string, given: CallOptions = {}): Promise<Memorized> {
    const name = sessionName(session)
    if (this.#calls.memorize === undefined)
      throw new InvalidOption({
        option: 'session',
        received: shown(session),
        expected: 'a user’s: what a project shares is written by hand or by tools',
      })
    return this.#calls.memorize(name, given)
  }

  /**
   * Tools of the AI SDK by which an agent lists, reads, recollects and edits documents. What they write has `writer`
   * (default `agent`) in its revision, and with a session that session's messages so far as its lineage.
   *
   * @example generateText({ model, prompt, tools: ada.documents.tools({ session: 'monday' }) })
   */
  tools(given: { readonly session?: string; readonly writer?: string } = {}): DocumentTools {
    const { session, writer } = givenObject('options', given)
    const by = { writer: agentName(writer ?? 'agent'), isTool: true, during: session === undefined ? undefined : sessionName(session) }
    return documentTools({
      isProjects: this.#calls.memorize === undefined,
      list: (call) => this.list(call),
      read: (name, call) => this.read(name, call),
      recollect: (query, call) => this.recollect(query, call),
      edit: (name, change, call) => this.#edit(name, change, call, by),
    })
  }

  async #edit(name: unknown, change: unknown, given: EditOptions, by: DocumentWriter): Promise<Document> {
    const { revision, description, maxChars } = this.#known(given)
    const checked = documentName(name)
    const wanted = {
      ...(typeof change === 'string' ? { content: documentText(change, 'content') } : { edits: pageEdits(change) }),
      description: description === undefined ? undefined : documentText(description, 'description'),
      maxChars: maxChars === undefined ? undefined : inRange('maxChars', maxChars, documentChars.least, documentChars.most, true),
      revision: revision === undefined ? undefined : inRange('revision', revision, 0, Number.MAX_SAFE_INTEGER, true),
    }
    return this.#written(given, ({ engine, partition }) => engine.write('documents.edit', partition, checked, wanted, by))
  }

  /** There is something new to find by its meaning. */
  #written(given: CallOptions, work: (ground: LayerGround) => Promise<Document>): Promise<Document> {
    return this.#calls.guarded('documents', given, async (ground) => {
      const document = await work(ground)
      ground.hint()
      return document
    })
  }

  #known<Given extends object>(given: Given): Given {
    refuseUnknown(given, options)
    return givenObject('options', given)
  }
}

/** Of some options what every call takes. */
function callOf({ signal, deadlineMs }: CallOptions): CallOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(deadlineMs === undefined ? {} : { deadlineMs }) }
}

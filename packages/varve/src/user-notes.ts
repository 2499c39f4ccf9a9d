import type { CallOptions } from './call.ts'
import { EmptySession } from './errors/empty-session.ts'
import type { Ground } from './ground.ts'
import type { LayerCalls, LayerGround } from './layer-calls.ts'
import { type List, listOf, type ListOptions, listRequest } from './list.ts'
import { byHand } from './models/writer.ts'
import type { NotesDue } from './notes/due.ts'
import type { Notes, NotesEntry } from './notes/notes.ts'
import { notesText } from './notes/validate.ts'
import { pageRevisionsKept } from './pages/page-bounds.ts'
import type { PageRevision } from './pages/revision.ts'
import { givenObject, inRange, refuseUnknown } from './scope/options.ts'
import { type PartitionId, type SessionName, sessionName } from './scope/partition.ts'
import type { Receipt } from './storage/erase/receipts.ts'

const known: ReadonlySet<string> = new Set(['revision', 'limit', 'signal', 'deadlineMs'])
const revisionsOptions: ReadonlySet<string> = new Set(['limit', 'cursor', 'signal', 'deadlineMs'])
const mostListed = 10_000

/** The page of notes that follows each running session. With a `notesDirectory`, each is a real file as well. */
export class UserNotes {
  readonly #calls: LayerCalls
  readonly #ground: Pick<Ground, 'layers' | 'notes' | 'mirror'>

  constructor(calls: LayerCalls, ground: Pick<Ground, 'layers' | 'notes' | 'mirror'>) {
    this.#calls = calls
    this.#ground = ground
  }

  /** The notes of a session as they stand, edits in its file taken in; with `revision`, as they stood. Undefined when there are none. */
  async get(session: string, options: CallOptions & { revision?: number } = {}): Promise<Notes | undefined> {
    const { revision } = this.#known(options)
    const number = revision === undefined ? undefined : inRange('revision', revision, 1, Number.MAX_SAFE_INTEGER, true)
    return this.#on(session, options, async ({ engine, partition }, name) => {
      const notes = await engine.read('notes.read', partition, name, number)
      return notes === undefined ? undefined : this.#withPath(partition, notes)
    })
  }

  /** Whether an update is due, and why; `on`: whether upkeep makes it. NotFound for a session that is not there. */
  async due(session: string, options: CallOptions = {}): Promise<NotesDue & { readonly on: boolean }> {
    this.#known(options)
    const name = sessionName(session)
    return this.#calls.guarded('notes', options, ({ engine, partition }) => engine.read('notes.due', partition, name, this.#ground.layers))
  }

  /**
   * Brings the notes up to date now, whether it is due or not, and whether the layer is on or not; gives back the
   * page as it then is. EmptySession for a session in which nothing was said. Waits for who is at it.
   */
  async update(session: string, options: CallOptions = {}): Promise<Notes> {
    this.#known(options)
    return this.#on(session, options, async ({ engine, partition, hint }, name) => {
      await this.#ground.notes(() => engine.read('notes.toNote', partition, name), options.signal)
      const standing = await engine.read('notes.read', partition, name, undefined)
      if (standing === undefined) throw new EmptySession({ session: name })
      hint()
      return this.#withPath(partition, standing)
    })
  }

  /**
   * Puts a text in the place of a session's notes; makes them when there are none. StaleRevision when `revision` (0:
   * none yet) is not the one that stands.
   */
  async edit(session: string, content: string, options: CallOptions & { revision?: number } = {}): Promise<Notes> {
    const { revision } = this.#known(options)
    const change = {
      content: notesText(content),
      revision: revision === undefined ? undefined : inRange('revision', revision, 0, Number.MAX_SAFE_INTEGER, true),
    }
    return this.#on(session, options, async ({ engine, partition, hint }, name) => {
      const notes = await engine.write('notes.edit', partition, name, change, byHand)
      hint()
      return this.#written(partition, notes)
    })
  }

  /**
   * What the notes said, the newest first, each with its difference from the one before. Over 16 MiB of text end early, with a `cursor`.
   * NotFound when there are none.
   */
  async revisions(session: string, options: CallOptions & ListOptions = {}): Promise<List<PageRevision>> {
    const request = listRequest(options, { usual: 20, most: pageRevisionsKept, known: revisionsOptions })
    const read = ({ engine, partition }: LayerGround, name: SessionName) => engine.read('notes.revisions', partition, name, request)
    return listOf(await this.#on(session, options, read))
  }

  /** Has notes say again what they said in a revision, which makes a new one. */
  async restore(session: string, revision: number, options: CallOptions = {}): Promise<Notes> {
    this.#known(options)
    const number = inRange('revision', revision, 1, Number.MAX_SAFE_INTEGER, true)
    return this.#on(session, options, async ({ engine, partition, hint }, name) => {
      const notes = await engine.write('notes.restore', partition, name, number, byHand)
      hint()
      return this.#written(partition, notes)
    })
  }

  /**
   * Erases the notes of a session with all of their revisions and their file, and switches the layer off for it: they
   * stay deleted. NotFound when there are none.
   */
  async delete(session: string, options: CallOptions = {}): Promise<Receipt> {
    this.#known(options)
    const name = sessionName(session)
    return this.#calls.guarded('notes', options, async ({ engine, partition, finishErasure }) => {
      const erase = async (): Promise<Receipt> => (await engine.write('notes.delete', partition, name)).receipt
      const { mirror } = this.#ground
      return finishErasure(await (mirror === undefined ? erase() : mirror.erasing([partition], erase)))
    })
  }

  /** Notes of sessions, the last changed first. Default limit 100. */
  async list(options: CallOptions & { limit?: number } = {}): Promise<readonly NotesEntry[]> {
    const limit = inRange('limit', this.#known(options).limit ?? 100, 1, mostListed, true)
    const read = ({ engine, partition }: LayerGround) => engine.read('notes.list', partition, { limit })
    return listOf(await this.#calls.guarded('notes', options, read))
  }

  /** Once what a person edited in the file is taken in. */
  #on<Result>(session: string, options: CallOptions, work: (ground: LayerGround, name: SessionName) => Promise<Result>): Promise<Result> {
    const name = sessionName(session)
    return this.#calls.guarded('notes', options, async (ground) => {
      await this.#ground.mirror?.refresh(ground.partition, name)
      return work(ground, name)
    })
  }

  #withPath(partition: PartitionId, notes: Notes): Notes {
    const { mirror } = this.#ground
    return mirror === undefined ? notes : { ...notes, path: mirror.pathOf(partition, notes.session) }
  }

  async #written(partition: PartitionId, notes: Notes): Promise<Notes> {
    await this.#ground.mirror?.refresh(partition, sessionName(notes.session))
    return this.#withPath(partition, notes)
  }

  #known<Given extends object>(options: Given): Given {
    refuseUnknown(givenObject('options', options), known)
    return options
  }
}

import { growingCache } from '../caches/growing-cache.ts'
import { embeddingCheck } from '../upkeep/embedding-check.ts'
import { Upkeep } from '../upkeep/upkeep.ts'
import type { embeddingReads } from '../index/reads.ts'
import type { recallReads } from '../recall/reads.ts'
import { QuestionVectors } from '../recall/question-vectors.ts'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import { IsolationWarning } from '../errors/isolation-warning.ts'
import { MemoryClosed } from '../errors/memory-closed.ts'
import { VarveError } from '../errors/varve-error.ts'
import { type Engine, type EngineCall, type EngineHealth, type EngineTrouble, portsOf } from '../engine/engine.ts'
import { type Call, calledOn } from '../engine/port.ts'
import { InFlight } from '../engine/in-flight.ts'
import { uuidv7 } from '../ids/uuid.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { Counters } from '../observe/counters.ts'
import type { MemoryEvent } from '../observe/events.ts'
import { Observer } from '../observe/observer.ts'
import { type DoorStore, doorStoreOf } from '../operations/door-store.ts'
import { KeyChanges } from '../operations/key-changes.ts'
import type { PartitionMeans, StoreMeans } from '../operations/means.ts'
import { ShownLately } from '../operations/shown-lately.ts'
import { type PartitionId, partitionId, type ProjectName, projectName } from '../scope/partition.ts'
import { parseScope, type Scope, type ScopeInput } from '../scope/scope.ts'
import type { Check } from '../storage/check.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Listed } from '../storage/listed.ts'
import { Calls } from './calls/calls.ts'
import type { Gate } from './calls/guarded.ts'
import { type Configuration, configure, type MemoryOptions } from './configuration.ts'
import { givenModel, ownModel } from './embedding-models.ts'
import { Audit } from './handles/audit.ts'
import { Contexts } from './handles/contexts.ts'
import { Keys } from './handles/keys.ts'
import { Receipts } from './handles/receipts.ts'
import { MemoryMethods, UpkeepHandle } from './handles/store.ts'
import { askedModels, type LanguageModels, languageModelsOf } from './language-models.ts'
import { NotesDirectory, refuseFile } from './notes-mirror/notes-directory.ts'
import { NotesMirror } from './notes-mirror/notes-mirror.ts'
import { ProjectMemory } from './project-memory.ts'
import { Projects } from './projects.ts'
import { openStore } from './stores/open-store.ts'
import { shownStore } from './stores/standing-store.ts'
import { Signer } from './signer.ts'
import { upkeepStore } from './upkeep-store.ts'
import { UserMemory } from './user-memory.ts'

/** The models of a memory. */
interface MemoryModels {
  readonly embeddingModel: EmbeddingModel | undefined
  readonly languageModels: LanguageModels
}

/**
 * The time that a look at a project without named users counts, when the isolation check only warns. Other processes
 * may add users.
 */
const looksLastMs = 10_000

/** The most projects whose look or warning is remembered. Another one is looked at anew. */
const mostProjectsKept = 10_000

/** Users of a project that are read at once. */
const usersAtOnce = 10_000

/**
 * Opens a memory: one SQLite file, or none. Makes the store when it is not there, and migrates an older one.
 * InvalidConfiguration for an option or a variable that cannot be used. Close the memory after use.
 *
 * @example await using memory = await openMemory({ store: './varve.db' })
 */
export function openMemory(options: MemoryOptions = {}): Promise<Memory> {
  return openMemoryIn(process.env, options)
}

/** Opens a memory with another environment than the process's. */
export async function openMemoryIn(environment: Readonly<Record<string, string | undefined>>, options: MemoryOptions): Promise<Memory> {
  refuseOldNode()
  const configuration = configure(options, environment)
  const { embeddingModel, embeddings, notesDirectory } = configuration
  if (notesDirectory !== undefined) refuseFile(notesDirectory)
  // Models are checked first: a wrong one must not leave a new store behind.
  const given = embeddingModel === undefined ? undefined : await givenModel(embeddingModel)
  const languageModels = await languageModelsOf(configuration.languageModel)
  return new Memory(configuration, await openStore(configuration), { embeddingModel: given ?? ownModel(embeddings), languageModels })
}

/**
 * The oldest Node that works, as package.json says; a test compares the two. The SQLite driver crashes an older Node
 * without a word.
 */
export const leastNode = '22.22.2'

function refuseOldNode(): void {
  if (weightOf(process.versions.node) >= weightOf(leastNode)) return
  throw new InvalidConfiguration({
    setting: 'node',
    reason: `Varve needs Node ${leastNode} or newer, and this is ${process.versions.node}`,
  })
}

/**
 * Gives a number that grows with a version such as 22.22.2. By hand: a comparison in a locale's order loads the
 * collator, 22 ms at every start.
 */
function weightOf(version: string): number {
  return version.split('.').reduce((weight, part) => weight * 1_000 + Number.parseInt(part, 10), 0)
}

/** A store that is open. Close it, or use `await using`. */
export class Memory extends MemoryMethods {
  readonly projects: Projects
  /** The contexts that users were shown. `memory.for(…).contexts` holds one user's alone. */
  readonly contexts: Contexts
  /** Receipts of erasures. */
  readonly receipts: Receipts
  /** The keys of callers of the server. */
  readonly keys: Keys
  /** What callers of the server did. */
  readonly audit: Audit
  /** Work that is done after a write: vectors, layers, erasures. */
  readonly upkeep: UpkeepHandle
  readonly #configuration: Configuration
  readonly #engine: Engine
  readonly #observer: Observer
  readonly #model: EmbeddingModel | undefined
  readonly #upkeep: Upkeep
  /** @internal */
  protected override readonly calls: Calls<StoreMeans>
  readonly #questions: QuestionVectors
  readonly #shown: ShownLately
  readonly #raw: Engine
  readonly #signer: Signer
  /** Projects that were warned of, and for each project the time of the last look at its named users. */
  readonly #isolated = growingCache<string, true>(mostProjectsKept)
  readonly #lookedAt = growingCache<string, number>(mostProjectsKept)
  /** Calls that are accepted and not made yet. */
  readonly #accepted = new InFlight()
  readonly #hearing = new Set<() => void>()
  #closing: Promise<void> | undefined

  /** @internal */
  constructor(configuration: Configuration, engine: Engine, { embeddingModel, languageModels }: MemoryModels) {
    super()
    this.#configuration = configuration
    this.#observer = new Observer(configuration.clock, configuration.logger)
    this.#raw = engine
    this.#engine = this.#whileOpen(engine)
    this.#signer = new Signer(this.#engine, configuration.signingKey)
    this.#model = embeddingModel
    const { clock, layers, notesDirectory } = configuration
    const mirror = notesDirectory === undefined ? undefined : new NotesMirror(new NotesDirectory(notesDirectory), engine, this.#observer)
    const holder = uuidv7(clock.now())
    const models = askedModels(languageModels, engine, { clock, observer: this.#observer, deadlineMs: configuration.modelDeadlineMs })
    engine.attend({ models: models.byTask, embedding: embeddingModel, layers, holder, notesFiles: mirror, clock, observer: this.#observer })
    engine.onTrouble((trouble) => this.#tellTrouble(trouble))
    engine.onHeard(() => {
      this.#upkeep.heard()
      for (const heard of this.#hearing) heard()
    })
    this.#upkeep = new Upkeep(upkeepStore(engine), clock, this.#observer, { embeddingModel, calls: models.calls, layers, holder })
    const reading: Call = (name, args) => this.#engine.call('read', name, args)
    const asked = {
      question: calledOn<typeof recallReads>('recall', reading).question,
      embeddingsDue: calledOn<typeof embeddingReads>('embeddings', reading).due,
    }
    this.#questions = new QuestionVectors(embeddingModel, asked, this.#observer)
    this.#shown = new ShownLately(engine, this.#observer)
    const calls = new Calls(this.#gate(undefined), this.#means(mirror))
    this.calls = calls
    this.projects = new Projects(calls, (name) => this.project(name))
    this.contexts = new Contexts(calls)
    this.receipts = new Receipts(calls)
    this.keys = new Keys(calls)
    this.audit = new Audit(calls)
    this.upkeep = new UpkeepHandle(calls)
    if (engine.readOnly) {
      const store = shownStore(configuration.file)
      const notice = `${store} cannot be written here: it is read, writes are refused, and nothing is noted of what is shown`
      this.#observer.notice(notice, 'read-only')
    }
    if (configuration.upkeep !== 'background') return
    if (!engine.readOnly) this.#upkeep.startBackground()
    void this.#questions.prepare()
  }

  /**
   * Gives a handle on one partition: `for('ada')`, `for({ project, user })`, or `for({ project })` for its anonymous
   * user. InvalidScope for anything else.
   */
  for(scope: string | ScopeInput): UserMemory {
    return new UserMemory(this.callsFor(scope))
  }

  /** Gives a handle on a project as a whole: its settings, and the blocks, documents and bank that members share. */
  project(name: string): ProjectMemory {
    return new ProjectMemory(this.callsForShared(name))
  }

  /** Makes the calls on one user, for a door. @internal */
  callsFor(scope: string | ScopeInput): Calls<PartitionMeans> {
    const parsed = parseScope(scope)
    const { project, owner, partition } = parsed
    return this.#callsOn(partition, owner.kind === 'user' ? { project, user: owner.name } : { project }, parsed)
  }

  /** Gives the mark of a fence around a content, for a door. An echo of what stands in such a fence is known. @internal */
  markOf(content: string): Promise<string> {
    return this.#engine.read('privacy.contentMark', content)
  }

  /** Makes the calls on what a project shares, for a door. @internal */
  callsForShared(name: string): Calls<PartitionMeans> {
    const project = projectName(name)
    return this.#callsOn(partitionId(project, { kind: 'shared' }), { project }, undefined)
  }

  /** Makes the calls on the store, for a door. @internal */
  callsForStore(): Calls<StoreMeans> {
    return this.calls
  }

  /** Gives the events of this process's memory from now on. A slow listener loses the oldest events and holds nothing up. */
  events(): AsyncIterableIterator<MemoryEvent> {
    return this.#observer.events.listen()
  }

  /** Calls back when another instance may have written, where the store tells of it. Returns the end of it. @internal */
  onHeard(heard: () => void): () => void {
    this.#hearing.add(heard)
    return () => void this.#hearing.delete(heard)
  }

  /** Gives the counts of this process's memory since it was opened. */
  counters(): Counters {
    return this.#observer.counting.read()
  }

  /** Finishes all acknowledged work, and closes the store. Later calls reject with MemoryClosed. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    await this.#accepted.none()
    await this.#upkeep.stop()
    await this.#shown.close()
    this.#observer.events.close()
    this.#questions.close()
    await this.#model?.close()
    await this.#engine.close()
  }

  /** @internal What a server asks about its callers. */
  doorStore(): DoorStore {
    return doorStoreOf(this.calls.means)
  }

  #gate(scope: Scope | undefined): Gate {
    return { isClosed: () => this.#closing !== undefined, ready: () => (scope === undefined ? undefined : this.#lookAtIsolation(scope)) }
  }

  #means(mirror: NotesMirror | undefined): StoreMeans {
    const { clock, layers, tokenizer } = this.#configuration
    return {
      engine: this.#engine,
      clock,
      observer: this.#observer,
      shown: this.#shown,
      keyChanges: new KeyChanges(),
      layers,
      estimatesTokens: tokenizer === 'estimate',
      mirror,
      upkeep: this.#upkeep,
      partitionsOf: (project) => this.#partitionsOf(project),
      diagnose: async () => [
        ...(await this.#engine.diagnose()),
        engineCheck(this.#engine.health()),
        await embeddingCheck(this.#model, () => this.#upkeep.status()),
      ],
      backUp: (...asked) => this.#accepted.hold(this.#backUp(...asked)),
      finishErasure: async (receipt) => this.#signer.countersigned(await this.#finishErasure(receipt)),
      signingKeys: (purpose) => this.#signer.keysFor(purpose),
      countersigned: (receipt) => this.#signer.countersigned(receipt),
    }
  }

  #callsOn(partition: PartitionId, who: PartitionMeans['who'], scope: Scope | undefined): Calls<PartitionMeans> {
    return new Calls(this.#gate(scope), {
      ...this.calls.means,
      partition,
      who,
      questions: this.#questions,
      distil: (due, signal, once) => this.#upkeep.distil(due, signal, once),
      documents: (only, signal) => this.#upkeep.documents(only, signal),
      notes: (due, signal) => this.#upkeep.notes(due, signal),
      readings: (signal) => this.#upkeep.readings(signal),
      hint: () => this.#upkeep.hint(),
      accepted: (call) => this.#accepted.hold(call(this.#raw)),
      unsent: new Map(),
    })
  }

  async #partitionsOf(name: ProjectName): Promise<PartitionId[]> {
    const partitions = [partitionId(name, { kind: 'anonymous' })]
    let cursor: string | undefined
    do {
      const page: Listed<string> = await this.#engine.read('projects.users', name, { limit: usersAtOnce, cursor })
      partitions.push(...page.items.map((user) => parseScope({ project: name, user }).partition))
      cursor = page.cursor
    } while (cursor !== undefined)
    return partitions
  }

  #whileOpen(engine: Engine): Engine {
    const call: EngineCall = (...given) => (this.#closing === undefined ? engine.call(...given) : Promise.reject(new MemoryClosed()))
    return { ...engine, ...portsOf(call) }
  }

  /** Counts and warns of a thread that died. Its events and `doctor` tell of it too. */
  #tellTrouble({ thread, reason }: EngineTrouble): void {
    this.#observer.count('threadsRestarted')
    this.#observer.warn('ENGINE_INTERRUPTED', `the thread that ${thread} ended (${reason}); it is started anew`)
  }

  async #backUp(...[request, signal]: Parameters<StoreMeans['backUp']>): ReturnType<StoreMeans['backUp']> {
    const { backUp } = await import('./backing-up.ts')
    return backUp({ engine: this.#raw, observer: this.#observer, store: this.#configuration.file }, request, signal)
  }

  #lookAtIsolation({ project, owner }: Scope): Promise<void> | undefined {
    const { isolation } = this.#configuration
    // A named user of this process may be the project's first: the next anonymous call looks again.
    if (owner.kind === 'user') this.#lookedAt.delete(project)
    if (owner.kind !== 'anonymous' || isolation === 'silent' || this.#isolated.has(project)) return undefined
    if (isolation === 'warn' && performance.now() - (this.#lookedAt.get(project) ?? Number.NEGATIVE_INFINITY) < looksLastMs)
      return undefined
    return this.#warnOfNamedUsers(project, isolation)
  }

  async #warnOfNamedUsers(project: string, isolation: 'warn' | 'error'): Promise<void> {
    const namedUsers = await this.#engine.read('projects.namedUsers', project)
    this.#lookedAt.set(project, performance.now())
    if (namedUsers === 0) return
    const warning = new IsolationWarning({ project, namedUsers })
    if (isolation === 'error') throw warning
    this.#isolated.set(project, true)
    this.#observer.warn(warning.code, warning.message, `isolation ${project}`)
  }

  /**
   * Erases the bytes of an erasure now, if they can be reached. The words stay erased when it fails: the receipt says
   * so, and upkeep goes on later.
   */
  async #finishErasure(receipt: Receipt): Promise<Receipt> {
    if (receipt.physical === 'done') return receipt
    if (!this.#raw.erasesAtOnce) {
      this.#upkeep.hint()
      return receipt
    }
    try {
      await this.#upkeep.finishErasures()
      return (await this.#engine.read('privacy.receipt', receipt.id)) ?? receipt
    } catch (error) {
      if (!VarveError.is(error)) throw error
      this.#observer.warn('UPKEEP_FAILED', error.message, 'upkeep')
      return { ...receipt, reason: error.message }
    }
  }
}

/** Describes the state of the engine for `doctor`. */
function engineCheck({ running, died, lastReason }: EngineHealth): Check {
  const ended =
    died === 0
      ? ''
      : `; ${died} ended by itself and was started anew${lastReason === undefined ? '' : `, the last one since ${lastReason}`}`
  return { name: 'engine', ok: true, detail: `${running.join(', ')}${ended}` }
}

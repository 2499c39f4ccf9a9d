import type { WritingMeans } from '../distil/writing-means.ts'
import { StoreDamaged } from '../errors/store-damaged.ts'
import type { Check } from '../storage/check.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Here } from '../storage/here.ts'
import { callScope } from '../storage/call-scope.ts'
import { laneOfPartition, partitionOfCall } from '../storage/lane.ts'
import type { Program } from '../storage/program.ts'
import type { OpenStore, StoreEngine } from '../storage/store-engine.ts'
import type { Host } from '../upkeep/host.ts'
import { CallHere, type Station } from './call-here.ts'
import { reads, works, writes } from './catalogue.ts'
import { Cut } from './cut.ts'
import type { EngineCall, Kind } from './engine.ts'
import { type Call, calledOn, type Offered, type Rooms } from './port.ts'

const rooms: Readonly<Record<Kind, Rooms>> = { read: reads, write: writes, distil: works }

/** The means that a post needs. */
export interface PostMeans {
  readonly engine: StoreEngine
  readonly store: OpenStore
  readonly place: string
  readonly segmentBytes: number
  /** Returns the host of the layer writer, which asks it for models. */
  host(): Host
  /** The way from the layer writer to the threads that write and search the store. */
  readonly elsewhere: EngineCall
}

type Keep = Here['keep']
type ByKind<Kept> = Readonly<Record<Kind, Kept>>

/** A room's function, which returns a program or a promise. */
type Run = Offered[string]

/** Answers calls by name. It finds the function that a room offers, runs its program, and keeps the room's objects between calls. */
export class Post {
  readonly #means: PostMeans
  /** The functions called before, by name. */
  readonly #known: ByKind<Map<string, Run>> = { read: new Map(), write: new Map(), distil: new Map() }
  readonly #kept: ByKind<Map<object, object>> = { read: new Map(), write: new Map(), distil: new Map() }
  readonly #keep: ByKind<Keep> = { read: keeping(this.#kept.read), write: keeping(this.#kept.write), distil: keeping(this.#kept.distil) }
  readonly #station: Station

  constructor(means: PostMeans) {
    const { store, segmentBytes } = means
    this.#means = means
    this.#station = {
      store,
      segmentBytes,
      read: (program) => store.read(() => program),
      write: (program, weight, patience, lane) => store.write(program, weight, patience, lane),
      host: () => means.host(),
      means: () => this.#writing(),
    }
  }

  async answer(kind: Kind, name: string, args: readonly never[], now: number, cut: Pick<Cut, 'signal'> = new Cut()): Promise<unknown> {
    const { engine, store, place } = this.#means
    const run = this.#known[kind].get(name) ?? (await this.#find(kind, name))
    const here = new CallHere(this.#station, { now: store.now(now), keep: this.#keep[kind], cut })
    const start = (): unknown => run(here, ...args)
    const partition = partitionOfCall(args)
    try {
      if (partition === undefined) return await this.#settled(kind, start, undefined)
      return await callScope.run(partition, () => this.#settled(kind, start, laneOfPartition(partition)))
    } catch (error) {
      // Stored terms that cannot be read: no other code of ours throws this error here.
      if (kind === 'read' && error instanceof RangeError)
        throw new StoreDamaged({ store: engine.shown(place), reason: error.message }, { cause: error })
      throw engine.classify(error, place, roomOf(name))
    }
  }

  diagnose(indexBytes: number): Promise<readonly Check[]> {
    return this.#means.store.diagnose(indexBytes)
  }

  /** Drops the objects that reading keeps: another thread keeps them from now on. */
  release(): void {
    this.#kept.read.clear()
  }

  close(): Promise<void> {
    return this.#means.store.close()
  }

  async #find(kind: Kind, name: string): Promise<Run> {
    const room = roomOf(name)
    const load = Object.hasOwn(rooms[kind], room) ? rooms[kind][room] : undefined
    if (load === undefined) throw new TypeError(`there is no room ${room} to ${kind}`)
    const functions = await load()
    const offered = name.slice(room.length + 1)
    const run = Object.hasOwn(functions, offered) ? functions[offered] : undefined
    if (run === undefined) throw new TypeError(`no room offers ${name} to ${kind}`)
    this.#known[kind].set(name, run)
    return run
  }

  async #settled(kind: Kind, start: () => unknown, lane: string | undefined): Promise<unknown> {
    const { store } = this.#means
    const begun = start()
    if (!isProgram(begun)) return kind === 'write' ? this.#withoutNeedles(await begun) : begun
    let first: Program<unknown> | undefined = begun
    // A transaction that runs again needs a new program.
    const again = (): Program<unknown> => {
      const program = first ?? start()
      first = undefined
      if (!isProgram(program)) throw new TypeError('a call gave a program first, and another value when it was started again')
      return program
    }
    return kind === 'write' ? this.#withoutNeedles(await store.write(again, 1, 'full', lane)) : store.read(again)
  }

  /** Keeps erased words here until the files were searched for them, and sends them to nobody. */
  async #withoutNeedles(result: unknown): Promise<unknown> {
    if (!isErasure(result)) return result
    const { needles, ...rest } = result
    const { erasuresIn } = await import('../privacy/pending-erasures.ts')
    erasuresIn({ keep: this.#keep.write }).remember(rest.receipt, needles)
    return rest
  }

  #writing(): WritingMeans {
    const { store, elsewhere, host } = this.#means
    const { clock, observer } = host()
    const write: Call = (name, args) => elsewhere('write', name, args)
    const search: Call = (name, args) => elsewhere('read', name, args)
    return {
      key: store.key,
      clock,
      observer,
      read: this.#station.read,
      write: calledOn<WritesOf<'distil'>>('distil', write),
      workIn: calledOn<WritesOf<'documents'>>('documents', write).workIn,
      setAside: calledOn<WritesOf<'documents'>>('documents', write).setAside,
      storeNotes: calledOn<WritesOf<'notes'>>('notes', write).store,
      nearDocuments: calledOn<ReadsOf<'recall'>>('recall', search).documents,
    }
  }
}

type WritesOf<Room extends keyof typeof writes> = Awaited<ReturnType<(typeof writes)[Room]>>
type ReadsOf<Room extends keyof typeof reads> = Awaited<ReturnType<(typeof reads)[Room]>>

function roomOf(name: string): string {
  return name.split('.', 1)[0] ?? ''
}

/** Makes an object for a room at the first call, and returns it in later calls. */
function keeping(kept: Map<object, object>): Keep {
  return <Kept extends object>(of: abstract new (...args: never[]) => Kept, make: () => Kept): Kept => {
    const known = kept.get(of)
    // The object under a class is one of its instances.
    if (known !== undefined) return known as Kept
    const made = make()
    kept.set(of, made)
    return made
  }
}

function isProgram(value: unknown): value is Program<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value
}

function isErasure(value: unknown): value is { readonly receipt: Receipt; readonly needles: readonly Uint8Array[] | undefined } {
  return typeof value === 'object' && value !== null && 'needles' in value && 'receipt' in value
}

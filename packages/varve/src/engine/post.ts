import type { LayerGround } from '../distil/layer-ground.ts'
import { StoreDamaged } from '../errors/store-damaged.ts'
import type { Check } from '../storage/check.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Here } from '../storage/here.ts'
import type { Program } from '../storage/program.ts'
import type { OpenStore, StoreEngine } from '../storage/store-engine.ts'
import type { Host } from '../upkeep/host.ts'
import { reads, works, writes } from './catalogue.ts'
import type { EngineCall, Kind } from './engine.ts'
import { type AnyHere, type Call, calledOn, type Offered, type Rooms } from './port.ts'

const rooms: Readonly<Record<Kind, Rooms>> = { read: reads, write: writes, distil: works }

/** What a post stands on. */
export interface PostMeans {
  readonly engine: StoreEngine
  readonly store: OpenStore
  readonly place: string
  readonly segmentBytes: number
  /** What writes layers is told, and asks for models. */
  host(): Host
  /** How writing layers reaches where the store is written and where it is searched. */
  readonly elsewhere: EngineCall
}

type Keep = Here['keep']

/** Answers calls by name: finds the function that a room offers, runs its program, and keeps what rooms keep between calls. */
export class Post {
  readonly #means: PostMeans
  readonly #loaded = new Map<string, Offered>()
  readonly #keeps: Readonly<Record<Kind, Map<object, object>>> = { read: new Map(), write: new Map(), distil: new Map() }

  /** The same functions in every call: rooms tell stores apart by them. */
  readonly #read: Here['read'] = (program) => this.#means.store.read(() => program)
  readonly #write: AnyHere['write'] = (program, weight) => this.#means.store.write(program, weight)

  constructor(means: PostMeans) {
    this.#means = means
  }

  async answer(kind: Kind, name: string, args: readonly never[], now: number, signal?: AbortSignal): Promise<unknown> {
    const { engine, place } = this.#means
    const [room = '', offered = ''] = name.split('.')
    const functions = this.#loaded.get(`${kind} ${room}`) ?? (await this.#load(kind, room))
    const run = Object.hasOwn(functions, offered) ? functions[offered] : undefined
    if (run === undefined) throw new TypeError(`no room offers ${name} to ${kind}`)
    const here = this.#here(kind, now, signal)
    const start = (): unknown => run(here, ...args)
    try {
      return await this.#settled(kind, start)
    } catch (error) {
      // Stored terms that cannot be read: nothing of ours throws it otherwise.
      if (kind === 'read' && error instanceof RangeError) throw new StoreDamaged({ store: place, reason: error.message }, { cause: error })
      throw engine.classify(error, place, room)
    }
  }

  diagnose(indexBytes: number): readonly Check[] {
    return this.#means.store.diagnose(indexBytes)
  }

  /** Lets go of what reading keeps: it is kept elsewhere from now on. */
  release(): void {
    this.#keeps.read.clear()
  }

  close(): void {
    this.#means.store.close()
  }

  async #load(kind: Kind, room: string): Promise<Offered> {
    const load = Object.hasOwn(rooms[kind], room) ? rooms[kind][room] : undefined
    if (load === undefined) throw new TypeError(`there is no room ${room} to ${kind}`)
    const functions = await load()
    this.#loaded.set(`${kind} ${room}`, functions)
    return functions
  }

  async #settled(kind: Kind, start: () => unknown): Promise<unknown> {
    const { store } = this.#means
    const begun = start()
    if (!isProgram(begun)) return kind === 'write' ? this.#withoutNeedles(await begun) : begun
    let first: Program<unknown> | undefined = begun
    // A transaction that is run again needs a program of its own.
    const again = (): Program<unknown> => {
      const program = first ?? start()
      first = undefined
      if (!isProgram(program)) throw new TypeError('a program became something else when it was started again')
      return program
    }
    return kind === 'write' ? this.#withoutNeedles(await store.write(again)) : store.read(again)
  }

  /** Words that were erased are kept here until the files were searched for them, and sent to nobody. */
  async #withoutNeedles(result: unknown): Promise<unknown> {
    if (!isErasure(result)) return result
    const { needles, ...rest } = result
    const { erasuresIn } = await import('../privacy/pending-erasures.ts')
    erasuresIn({ keep: this.#keepOf('write') }).remember(rest.receipt, needles)
    return rest
  }

  #keepOf(kind: Kind): Keep {
    const kept = this.#keeps[kind]
    return <Kept extends object>(of: abstract new (...args: never[]) => Kept, make: () => Kept): Kept => {
      const known = kept.get(of)
      // What is kept under a class is one of its instances.
      if (known !== undefined) return known as Kept
      const made = make()
      kept.set(of, made)
      return made
    }
  }

  #here(kind: Kind, given: number, signal = new AbortController().signal): AnyHere {
    const { store, segmentBytes, host } = this.#means
    const ground = (): LayerGround => this.#ground(host())
    return {
      now: store.now(given), key: store.key, segmentBytes, signal, keep: this.#keepOf(kind),
      read: this.#read, write: this.#write,
      eraseBytes: (words) => store.eraseBytes(words),
      get host() {
        return host()
      },
      get ground() {
        return ground()
      },
    }
  }

  #ground({ clock, observer }: Host): LayerGround {
    const { store, elsewhere } = this.#means
    const write: Call = (name, args) => elsewhere('write', name, args)
    const search: Call = (name, args) => elsewhere('read', name, args)
    return {
      key: store.key, clock, observer, read: this.#read,
      write: calledOn<WritesOf<'distil'>>('distil', write),
      workIn: calledOn<WritesOf<'documents'>>('documents', write).workIn,
      storeNotes: calledOn<WritesOf<'notes'>>('notes', write).store,
      nearDocuments: calledOn<ReadsOf<'recall'>>('recall', search).documents,
    }
  }
}

type WritesOf<Room extends keyof typeof writes> = Awaited<ReturnType<(typeof writes)[Room]>>
type ReadsOf<Room extends keyof typeof reads> = Awaited<ReturnType<(typeof reads)[Room]>>

function isProgram(value: unknown): value is Program<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value
}

function isErasure(value: unknown): value is { readonly receipt: Receipt; readonly needles: readonly Uint8Array[] | undefined } {
  return typeof value === 'object' && value !== null && 'needles' in value && 'receipt' in value
}

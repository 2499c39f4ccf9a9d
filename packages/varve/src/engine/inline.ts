import type { Clock } from '../clock/clock.ts'
import { fromWire, toWire } from '../errors/wire.ts'
import type { OpenOptions, StoreEngine } from '../storage/store-engine.ts'
import type { Host } from '../upkeep/host.ts'
import { type Engine, type EngineCall, portsOf } from './engine.ts'
import { HostTurns } from './host-turns.ts'
import { InFlight } from './in-flight.ts'
import { Post } from './post.ts'

export interface EngineOptions extends Omit<OpenOptions, 'writes' | 'now' | 'onHeard'> {
  readonly segmentBytes: number
  readonly clock: Clock
}

/**
 * Runs calls in the caller's thread: for a store in memory, for short commands, for tests. Arguments and results are
 * copied, as they are with threads.
 */
export async function startInline(engine: StoreEngine, { segmentBytes, clock, ...options }: EngineOptions): Promise<Engine> {
  let heard = (): void => undefined
  const store = await opened(engine, { ...options, writes: true, now: clock.now(), onHeard: () => heard() })
  const inFlight = new InFlight()
  let host: Host | undefined
  const elsewhere: EngineCall = (kind, name, args) => copied(() => post.answer(kind, name, structuredClone(args), clock.now()))
  const post = new Post({ engine, store, place: options.place, segmentBytes, elsewhere, host: () => attended(host) })
  const turns = new HostTurns()
  const call: EngineCall = async (kind, name, args, signal) => {
    const given = structuredClone(args)
    const answered = (): Promise<unknown> =>
      copied(() => post.answer(kind, name, given, clock.now(), signal === undefined ? undefined : { signal }))
    const turn = turns.next()
    return inFlight.hold(turn === undefined ? answered() : turn.then(answered))
  }
  const ports = portsOf(call)
  return {
    ...ports,
    readOnly: store.readOnly,
    erasesAtOnce: engine.erasure === 'bytes',
    diagnose: async () => post.diagnose(await ports.read('embeddings.indexBytes')),
    longestRestMs: engine.longestRestMs,
    attend: (given) => {
      host = given
    },
    onTrouble: () => undefined,
    onHeard: (given) => {
      heard = given
    },
    health: () => ({ running: ['inline'], died: 0 }),
    close: async () => {
      await inFlight.none()
      await post.close()
    },
  }
}

/** Returns the host of the layer writer, which must have one. */
export function attended(host: Host | undefined): Host {
  if (host === undefined) throw new TypeError('the layer writer was called before it had a host')
  return host
}

async function opened(engine: StoreEngine, options: OpenOptions): ReturnType<StoreEngine['open']> {
  try {
    return await engine.open(options)
  } catch (error) {
    throw asFromThread(engine.classify(error, options.place, 'open'))
  }
}

async function copied(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return structuredClone(await work())
  } catch (error) {
    throw asFromThread(error)
  }
}

/** Copies an error as if it came from a thread: without the driver's own objects. */
function asFromThread(error: unknown): Error {
  return fromWire(structuredClone(toWire(error)))
}

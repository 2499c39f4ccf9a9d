import { Worker } from 'node:worker_threads'
import { ModelFailed } from '../../errors/model-failed.ts'
import { foundElsewhere } from '../../packaged/packaged-file.ts'
import { closeGate, guardExit, newGate } from './gate.ts'
import { identity } from './identity.ts'
import type { Done, Failed, FromThread, Ready, ThreadOptions, ToThread } from './protocol.ts'

/** The limits of a thread. Objects are few: the tokenizer's words take 12 MB. The model's weights are outside of the limits. */
const resourceLimits = {
  maxYoungGenerationSizeMb: 16,
  maxOldGenerationSizeMb: 256,
  // While loading, onnxruntime-node 1.30 walks the process's command line by recursion: 16,000 characters of it
  // overflow the usual 4 MB.
  stackSizeMb: 64,
}

// A thread inherits the process's flags and fails on this one, which is for `node --input-type=module -e`.
const execArgv = process.execArgv.some((flag) => flag.startsWith('--input-type')) ? [] : undefined

/** A thread that embeds one slice at a time. Its promises reject with ModelFailed when it is gone. */
export interface ThreadHandle {
  /** Resolves when the model is loaded, or with the reason why it cannot be. */
  readonly ready: Promise<Ready | Failed>
  run(texts: readonly string[]): Promise<Done>
  /** Sets whether the thread keeps the process alive; at first it does not. */
  hold(holds: boolean): void
  /** Ends the thread when it is safe: at the latest after its current texts. */
  end(): Promise<void>
}

export type StartThread = () => ThreadHandle

export function startThread(options: Omit<ThreadOptions, 'gate'>): ThreadHandle {
  const gate = newGate()
  const workerData: ThreadOptions = { ...options, gate }
  const elsewhere = foundElsewhere(() => new URL('./minilm-thread.ts', import.meta.url), 'dist/models/minilm/minilm-thread.js')
  const worker =
    elsewhere === undefined
      ? new Worker(new URL('./minilm-thread.ts', import.meta.url), { workerData, resourceLimits, execArgv })
      : new Worker(elsewhere, { workerData, resourceLimits, execArgv })
  const letGo = guardExit(gate)
  worker.once('exit', letGo)
  return handleOf(worker, () => closeGate(gate))
}

/** Makes a handle of a worker that speaks the protocol. `settle` resolves when the worker may be terminated. */
export function handleOf(worker: Worker, settle: () => Promise<unknown>): ThreadHandle {
  const ready = Promise.withResolvers<Ready | Failed>()
  let current: PromiseWithResolvers<Done> | undefined
  let ended: ModelFailed | undefined
  let isEnding = false
  const fail = (why: string, cause?: unknown): void => {
    ended ??= new ModelFailed({ model: identity.name, reason: `its thread has ended (${why})`, isRetryable: true }, { cause })
    ready.reject(ended)
    current?.reject(ended)
  }
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'done') current?.resolve(message)
    else if (message.kind === 'ready' || current === undefined) ready.resolve(message)
    else fail(message.error.message)
  })
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error), error))
  worker.on('exit', (code) => fail(`exit code ${code}`))
  worker.unref()
  return {
    ready: ready.promise,
    run: (texts) => {
      if (ended !== undefined) return Promise.reject(ended)
      current = Promise.withResolvers<Done>()
      worker.postMessage({ texts } satisfies ToThread)
      return current.promise
    },
    hold: (holds) => {
      // A wait for its end must end, whatever else happens.
      if (!isEnding) worker[holds ? 'ref' : 'unref']()
    },
    end: async () => {
      isEnding = true
      worker.ref()
      await settle()
      await worker.terminate()
    },
  }
}

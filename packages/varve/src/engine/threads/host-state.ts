import type { WireError } from '../../errors/wire.ts'
import type { ModelAnswer } from '../../models/language-model.ts'
import type { AskedModel } from '../../distil/asked-model.ts'
import type { Host } from '../../upkeep/host.ts'

/** A language model as it crosses between threads: its name and its state. */
export type ModelState = Pick<AskedModel, 'name' | 'notBefore' | 'failure' | 'made'>

/** The tasks for which a host has models. */
export type ModelTask = keyof Host['models']

/** A host's state, as it crosses with each call. */
export interface HostState {
  /** Absent when the time is the system's. */
  readonly now?: number
  readonly models: { readonly [Task in ModelTask]?: ModelState }
  readonly layers: number
  readonly holder: string
  readonly hasEmbedding: boolean
  readonly hasNotesFiles: boolean
}

/** A host's answer to a request for a model: its state at that time, with the model's answer or the error. */
export type AskedState =
  | { readonly state: HostState; readonly answer: ModelAnswer }
  | { readonly state: HostState; readonly error: WireError }

const tasks: readonly ModelTask[] = ['distil', 'edit', 'notes']

export function stateOf({ models, layers, holder, embedding, notesFiles, clock }: Host, isSystemClock: boolean): HostState {
  const states = tasks.flatMap((task) => {
    const model = models[task]
    return model === undefined
      ? []
      : [[task, { name: model.name, notBefore: model.notBefore, failure: model.failure, made: model.made }] as const]
  })
  return {
    ...(isSystemClock ? {} : { now: clock.now() }),
    models: Object.fromEntries(states),
    layers,
    holder,
    hasEmbedding: embedding !== undefined,
    hasNotesFiles: notesFiles !== undefined,
  }
}

import type { Clock } from '../../clock/clock.ts'
import type { SizedPrompt, AskedFor, AskedModel } from '../../distil/asked-model.ts'
import type { Embedding } from '../../distil/documenter.ts'
import type { Told } from '../../distil/writing-means.ts'
import { fromWire } from '../../errors/wire.ts'
import type { ModelAnswer } from '../../models/language-model.ts'
import type { Host } from '../../upkeep/host.ts'
import type { NotesFiles } from '../../upkeep/notes.ts'
import type { AskedState, HostState, ModelState, ModelTask } from './host-state.ts'
import type { LineCallOptions, Line } from './line.ts'

/** The host, as the layer writer's thread sees it. The host's state is as new as the last message from there. */
export class RemoteHost implements Host {
  readonly clock: Clock
  readonly observer: Told
  readonly #line: Line
  #state: HostState

  constructor(line: Line, state: HostState) {
    this.#line = line
    this.#state = state
    this.clock = { now: () => this.#state.now ?? Date.now() }
    this.observer = {
      count: (...args) => line.tell('count', args),
      emit: (...args) => line.tell('emit', args),
      notice: (...args) => line.tell('notice', args),
      warn: (...args) => line.tell('warn', args),
    }
  }

  /** Takes the host's new state over. */
  heard(state: HostState): void {
    this.#state = state
  }

  get layers(): number {
    return this.#state.layers
  }

  get holder(): string {
    return this.#state.holder
  }

  get models(): Host['models'] {
    return { distil: this.#model('distil'), edit: this.#model('edit'), notes: this.#model('notes') }
  }

  get embedding(): Embedding | undefined {
    if (!this.#state.hasEmbedding) return undefined
    return {
      identity: async ({ signal, ...options } = {}) => this.#ask('identity', [options], { signal }),
      embed: async (texts, { signal, ...options } = {}) => this.#ask('embed', [texts, options], { signal }),
    }
  }

  get notesFiles(): NotesFiles | undefined {
    return this.#state.hasNotesFiles ? { takeIn: (session) => this.#ask('takeIn', [session]) } : undefined
  }

  #model(task: ModelTask): AskedModel | undefined {
    const known = this.#state.models[task]
    if (known === undefined) return undefined
    const now = (): ModelState => this.#state.models[task] ?? known
    const { clock } = this
    return {
      name: known.name,
      get notBefore() {
        return now().notBefore
      },
      get failure() {
        return now().failure
      },
      get made() {
        return now().made
      },
      isUp: () => clock.now() >= now().notBefore,
      window: (signal) => this.#ask('window', [task], { signal }),
      ask: (asked, about, signal) => this.#askModel(task, asked, about, signal),
    }
  }

  async #askModel(task: ModelTask, asked: SizedPrompt, about: AskedFor, signal: AbortSignal): Promise<ModelAnswer> {
    const told: AskedState = await this.#ask('ask', [task, asked, about], { signal })
    this.#state = told.state
    if ('error' in told) throw fromWire(told.error)
    return told.answer
  }

  /** attend.ts answers on the host's side, with these types. */
  #ask<Result>(name: string, args: readonly unknown[], options: LineCallOptions = {}): Promise<Result> {
    return this.#line.call({ kind: 'host', name, args, now: this.clock.now() }, options)
  }
}

import type { DueNotes } from '../../notes/read-notes.ts'
import type { SizedPrompt, AskedFor } from '../../distil/asked-model.ts'
import { toWire } from '../../errors/wire.ts'
import type { EmbedOptions } from '../../models/embedding-model.ts'
import type { Host } from '../../upkeep/host.ts'
import { type AskedState, type ModelTask, stateOf } from './host-state.ts'

type Answers = Readonly<Record<string, (signal: AbortSignal, ...args: never[]) => Promise<unknown>>>

/** Answers the questions of the layer writer's thread to its host. */
export function attending(
  host: Host,
  isSystemClock: boolean,
): (name: string, args: readonly never[], signal: AbortSignal) => Promise<unknown> {
  const answers: Answers = {
    ask: (signal, task: ModelTask, asked: SizedPrompt, about: AskedFor) => ask(host, isSystemClock, { task, asked, about, signal }),
    window: async (signal, task: ModelTask) => host.models[task]?.window(signal),
    identity: async (signal, options: EmbedOptions) => host.embedding?.identity({ ...options, signal }),
    embed: async (signal, texts: readonly string[], options: EmbedOptions) => host.embedding?.embed(texts, { ...options, signal }),
    takeIn: async (_signal, session: DueNotes) => host.notesFiles?.takeIn(session),
  }
  return async (name, args, signal) => {
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
    if (answer === undefined) throw new TypeError(`a host does not ${name}`)
    return answer(signal, ...args)
  }
}

async function ask(
  host: Host,
  isSystemClock: boolean,
  { task, asked, about, signal }: { task: ModelTask; asked: SizedPrompt; about: AskedFor; signal: AbortSignal },
): Promise<AskedState | undefined> {
  const model = host.models[task]
  if (model === undefined) return undefined
  try {
    const answer = await model.ask(asked, about, signal)
    return { state: stateOf(host, isSystemClock), answer }
  } catch (error) {
    return { state: stateOf(host, isSystemClock), error: toWire(error) }
  }
}

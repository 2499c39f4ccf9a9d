import { statSync } from 'node:fs'
import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { loadTokenizer, type Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import type { SceneOptions } from './measured.ts'
import { scriptedModel, type ScriptedModel } from './model.ts'

export const project = 'acme'

/** An open store with its memory, clock and model. */
export interface Opened {
  readonly memory: Memory
  readonly clock: ManualClock
  readonly model: ScriptedModel
  readonly tokenizer: Tokenizer
  /** Warnings, with work that upkeep left undone. */
  readonly warnings: string[]
}

/** Opens a new store at a simulated time, in which only one bank is written: no gists, and no vectors. */
export async function openStore({ whose, file }: SceneOptions, now: number): Promise<Opened> {
  const clock = new ManualClock(now)
  const model = scriptedModel()
  const warnings: string[] = []
  const memory = await openMemory({
    store: file,
    upkeep: 'manual',
    isolation: 'silent',
    embeddingModel: false,
    languageModel: model.model,
    clock,
    layers: { gists: false, facts: false, instructions: false, bank: whose === 'own' },
    logger: { warn: (line) => void warnings.push(line) },
  })
  if (whose === 'shared') await memory.project(project).bank.setSharing(true)
  return { memory, clock, model, tokenizer: await loadTokenizer(), warnings }
}

/** Returns the bytes of the database, and of its log. */
export function bytesOf(file: string): { bytes: number; logBytes: number } {
  const [bytes = 0, logBytes = 0] = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  return { bytes, logBytes }
}

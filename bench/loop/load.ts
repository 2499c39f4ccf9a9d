import { type Memory, type MessageInput, openMemory } from '../../packages/varve/src/index.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { inFlight } from '../shared/flight.ts'

/** Texts that are made up before anything is measured: making them would block the loop. */
export interface Load {
  readonly messages: readonly MessageInput[]
  readonly batches: readonly MessageInput[][]
  readonly questions: readonly string[]
}

/** The work done while the loop was watched, in messages and questions. */
export interface Done {
  readonly appended: number
  readonly recalled: number
  readonly imported: number
}

const batchSize = 500
const batchesAtOnce = 4
/** Messages a session of the appended ones, as in LoCoMo. */
const turns = 22
/** The batches after which the import begins a new partition of its own: it runs as long as the others do. */
const batchesAPartition = 100

export async function openLoaded(file: string, n: number): Promise<{ memory: Memory; load: Load }> {
  const dialogue = new Dialogue(1)
  const messages = dialogue.messages(n)
  const batches = Array.from({ length: Math.ceil(n / batchSize) }, (_, place) => messages.slice(place * batchSize, (place + 1) * batchSize))
  const questions = Array.from({ length: 500 }, (_, place) => dialogue.question(messages[(place * 97) % n] ?? { role: 'user' }))
  const memory = await openMemory({ store: file, upkeep: 'manual' })
  let session = 0
  await inFlight(batches, batchesAtOnce, (batch) => memory.for('ada').append(`before-${session++}`, batch))
  await memory.for('ada').recall('a question to load the index by')
  return { memory, load: { messages, batches, questions } }
}

/** Appends, recalls and imports, all three without a pause, for so many seconds. */
export async function workOn(memory: Memory, { messages, batches, questions }: Load, seconds: number): Promise<Done> {
  const until = performance.now() + seconds * 1_000
  const ada = memory.for('ada')
  const lane = async (work: (count: number) => Promise<unknown>): Promise<number> => {
    let count = 0
    while (performance.now() < until) {
      await work(count)
      count += 1
    }
    return count
  }
  let batch = 0
  const importLane = (): Promise<number> =>
    lane(() => {
      const place = batch++
      return memory.for(`import-${Math.floor(place / batchesAPartition)}`).append(`session-${place}`, batches[place % batches.length] ?? [])
    })
  const [appended, recalled, ...imported] = await Promise.all([
    lane((count) => ada.append(`talk-${Math.floor(count / turns)}`, messages[count % messages.length] ?? [])),
    lane((count) => ada.recall(questions[count % questions.length] ?? '')),
    ...Array.from({ length: batchesAtOnce }, importLane),
  ])
  return { appended, recalled, imported: imported.reduce((sum, count) => sum + count, 0) * batchSize }
}

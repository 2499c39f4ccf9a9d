import { openMemory } from '../../packages/varve/src/index.ts'
import { hashedEmbeddingModel } from '../../packages/varve/src/testing/index.ts'
import type { Timed } from '../facts/tasks.ts'
import { timed } from '../facts/timing.ts'
import { below, seeded } from '../shared/random.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'

const contentChars = 4_000
const linesPerSection = 8
const wordsPerLine = 12

export interface Recollected {
  readonly timed: readonly Timed[]
  /** Shares of the planted sentences whose document came first, and was among the five. */
  readonly first: number
  readonly amongFive: number
  readonly cpuMsPerEdit: number
}

/** Asks for sentences planted in documents of 4 KB. The questions lack one word in four of the sentence. */
export async function recollected(file: string, documents: number, questions: number, vectors: boolean): Promise<Recollected> {
  await using memory = await openMemory({
    store: file,
    upkeep: 'manual',
    languageModel: false,
    embeddingModel: vectors && hashedEmbeddingModel({ dimension: 384 }),
  })
  const ada = memory.for('ada').documents
  const random = seeded(5)
  const words = makeVocabulary()
  const planted: string[] = []
  const before = process.cpuUsage()
  for (let place = 0; place < documents; place += 1) {
    const sentence = Array.from({ length: 8 }, () => words.content(random)).join(' ')
    planted.push(sentence)
    await ada.edit(
      `${words.name(place)} ${place}`,
      contentWith(sentence, () => (random() < 0.4 ? words.functionWord(random) : words.content(random)), below(random, 20)),
    )
  }
  const { user, system } = process.cpuUsage(before)
  while (!(await memory.upkeep.run({ maxSeconds: 600 })).settled);
  let [first, amongFive, asked] = [0, 0, 0]
  const question = (place: number): string =>
    (planted[(place * 7) % documents] ?? '')
      .split(' ')
      .filter((_, at) => at % 4 !== 3)
      .join(' ')
  const runs = await timed('recollect', questions, (place) => ada.recollect(question(place)))
  for (let place = 0; place < questions; place += 1) {
    const found = (await ada.recollect(question(place))).findIndex(({ passage }) =>
      passage.includes(planted[(place * 7) % documents] ?? '?'),
    )
    asked += 1
    first += Number(found === 0)
    amongFive += Number(found >= 0)
  }
  const edits = await timed(
    'edit (append a line)',
    Math.min(100, documents),
    (place) => ada.edit(`${words.name(place)} ${place}`, [{ tool: 'append', text: `- ${words.content(random)} ${place}` }]),
    undefined,
    5,
  )
  const reads = await timed('read', Math.min(100, documents), (place) => ada.read(`${words.name(place)} ${place}`), undefined, 5)
  return {
    timed: [runs, edits, reads],
    first: first / asked,
    amongFive: amongFive / asked,
    cpuMsPerEdit: (user + system) / 1_000 / documents,
  }
}

function contentWith(sentence: string, word: () => string, at: number): string {
  const lines: string[] = []
  let chars = 0
  for (let line = 0; chars < contentChars; line += 1) {
    if (line % linesPerSection === 0) lines.push('', `# ${word()} ${word()}`, '')
    lines.push(line === at ? `- ${sentence}` : `- ${Array.from({ length: wordsPerLine }, word).join(' ')}`)
    chars += (lines.at(-1)?.length ?? 0) + 1
  }
  return lines.join('\n')
}

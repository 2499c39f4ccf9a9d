import { type AiSdkLanguageModel, openMemory } from '../../packages/varve/src/index.ts'
import { nameKey } from '../../packages/varve/src/documents/names.ts'
import { below, type Random, seeded } from '../shared/random.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'

const things = 60
const factsPerRound = 4
const hour = 3_600_000
/** The shares of failing model calls, and of repeated statements. */
const shares = { failure: 0.08, repeated: 0.15 } as const

export interface Rounds {
  readonly rounds: number
  readonly facts: number
  /** Facts that stand in no document, and facts that stand in more than one line. */
  readonly lost: number
  readonly twice: number
  readonly documents: number
  /** Documents beyond one for each subject. */
  readonly duplicates: number
  readonly calls: number
  readonly failures: number
  readonly cpuMsPerRound: number
}

/**
 * Memorizes a session round after round, and finds each fact's place in the end. It runs without a model, or with an
 * editor that fails now and then.
 */
export async function memorizedRounds(file: string, rounds: number, byModel: boolean): Promise<Rounds> {
  let now = Date.UTC(2026, 0, 5)
  const random = seeded(9)
  const model = scriptedEditor(random)
  await using memory = await openMemory({
    store: file,
    upkeep: 'manual',
    clock: { now: () => now },
    embeddingModel: false,
    layers: { gists: false, facts: false, instructions: false, documents: true },
    languageModel: byModel && model,
    modelWindow: 32_768,
    logger: { warn: () => undefined },
  })
  const ada = memory.for('ada')
  const said: Told[] = []
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round += 1) {
    await ada.append(
      `talk ${Math.floor(round / 10)}`,
      Array.from({ length: factsPerRound }, () => {
        const { thing, text } = statement(random, said)
        // Without a model a thing without a name of its own is its speaker's: here each thing speaks for itself.
        return { role: 'user' as const, content: text, ...(byModel ? {} : { name: thing }) }
      }),
    )
    await ada.documents.memorize(`talk ${Math.floor(round / 10)}`)
    now += hour
  }
  const { user, system } = process.cpuUsage(before)
  for (let turn = 0; turn < 50 && (turn === 0 || (await memory.upkeep.status()).backlog.edits > 0); turn += 1) {
    now += 24 * hour
    await memory.upkeep.run({ all: true })
  }
  const documents = await ada.documents.list({ limit: 10_000 })
  const contents = await Promise.all(documents.map(async ({ name }) => (await ada.documents.read(name))?.content ?? ''))
  const standing = [...new Set(said.map(({ text }) => text))].map((text) =>
    contents.reduce((sum, content) => sum + content.split(text).length - 1, 0),
  )
  const subjects = new Set(said.map(({ thing }) => nameKey(thing))).size
  return {
    rounds,
    facts: standing.length,
    lost: standing.filter((times) => times === 0).length,
    twice: standing.filter((times) => times > 1).length,
    documents: documents.length,
    duplicates: documents.length - subjects,
    calls: model.calls(),
    failures: model.failures(),
    cpuMsPerRound: (user + system) / 1_000 / rounds,
  }
}

interface Told {
  readonly thing: string
  readonly text: string
}

const vocabulary = makeVocabulary()
const names = Array.from({ length: things }, (_, place) => vocabulary.name(place).toLowerCase())

/** Makes a statement about a thing in one of several phrasings; some repeat an earlier one. */
function statement(random: Random, said: Told[]): Told {
  const earlier = random() < shares.repeated ? said[below(random, said.length)] : undefined
  if (earlier !== undefined) return earlier
  const thing = names[below(random, things)] ?? ''
  const text = `${random() < 0.5 ? 'Our' : 'My'} ${thing} holds ${said.length + 1_000} crates.`
  const told = { thing, text }
  said.push(told)
  return told
}

interface Editor extends AiSdkLanguageModel {
  calls(): number
  failures(): number
}

/**
 * Makes a model that reads how many crates a thing holds, under one of three spellings. As editor it appends facts that
 * a document lacks.
 */
function scriptedEditor(random: Random): Editor {
  let [calls, failures] = [0, 0]
  const doGenerate = async (options: Parameters<AiSdkLanguageModel['doGenerate']>[0]): Promise<unknown> => {
    calls += 1
    if (random() < shares.failure) {
      failures += 1
      throw new TypeError('the model is away')
    }
    const text = options.prompt
      .map(({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text).join('')))
      .join('\n')
    const json = JSON.stringify(options.responseFormat?.name === 'varve_editor' ? edits(text) : { documents: subjects(text, random) })
    return {
      content: [{ type: 'text', text: json }],
      finishReason: { unified: 'stop', raw: 'stop' },
      warnings: [],
      usage: { inputTokens: { total: Math.ceil(text.length / 4) }, outputTokens: { total: Math.ceil(json.length / 4) } },
    }
  }
  return { specificationVersion: 'v4', provider: 'scripted', modelId: 'editor', doGenerate, calls: () => calls, failures: () => failures }
}

function subjects(prompt: string, random: Random): object[] {
  return Array.from(prompt.matchAll(/^\[(\d+)\] [^:\n]*: ((?:Our|My) (\S+) .*)$/gm), ([, from, fact = '', thing = '']) => ({
    from: Number(from),
    quote: fact,
    subject: spelt(thing, random),
    fact,
  }))
}

function spelt(thing: string, random: Random): string {
  return [thing, `the ${thing}`, `my ${thing}`][below(random, 3)] ?? thing
}

function edits(prompt: string): object {
  const stands = prompt.slice(0, prompt.lastIndexOf('new facts,'))
  const facts = Array.from(prompt.matchAll(/^\[\d+\] \d{4}-\d\d-\d\d: (.*)$/gm), ([, fact = '']) => fact).filter(
    (fact) => !stands.includes(fact),
  )
  return { description: '', calls: facts.map((fact) => ({ tool: 'append', section: '', from: 0, to: 0, old: '', text: `- ${fact}` })) }
}

import type { AiSdkLanguageModel } from '../../packages/varve/src/index.ts'

/** A language model in this process that copies bullets out of its prompt, and counts its calls by kind. */
export interface ScriptedModel {
  readonly model: AiSdkLanguageModel
  /** Calls by the wanted text: conversation, fuse, day, week, month, year; `repeat` for a repeated request. */
  readonly calls: ReadonlyMap<string, number>
  /** Characters sent to it, and its own CPU time. */
  readonly promptCharacters: () => number
  readonly ownCpuMs: () => number
}

type GenerateOptions = Parameters<AiSdkLanguageModel['doGenerate']>[0]

interface Numbered {
  readonly number: number
  readonly lines: readonly string[]
  readonly isPersons: boolean
}

// The size of a real model's answer: up to 3 bullets in under 80 words of a conversation, 4 in under 120 of a digest.
const leafBullets = 3
const leafWords = 25
const digestBullets = 4
const digestWords = 28

/** The beginning of a line that speaks to its reader: such a bullet would be refused. */
const addressed = /^you/i

export function scriptedModel(): ScriptedModel {
  const calls = new Map<string, number>()
  let [promptCharacters, ownCpuMs] = [0, 0]
  const answer = (options: GenerateOptions): unknown => {
    const text = options.prompt
      .map(({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text).join('')))
      .join('\n')
    const prompt = text.slice(text.lastIndexOf('<memory mark='))
    const kind = prompt.includes('An earlier answer could not be used') ? 'repeat' : kindOf(options.responseFormat?.name ?? '', text)
    calls.set(kind, (calls.get(kind) ?? 0) + 1)
    promptCharacters += text.length
    const json = JSON.stringify({ bullets: kind === 'conversation' ? leafOf(itemsIn(prompt)) : digestOf(itemsIn(prompt)) })
    return {
      content: [{ type: 'text', text: json }],
      finishReason: { unified: 'stop', raw: 'stop' },
      warnings: [],
      usage: { inputTokens: { total: Math.ceil(text.length / 4) }, outputTokens: { total: Math.ceil(json.length / 4) } },
    }
  }
  const doGenerate = async (options: GenerateOptions): Promise<unknown> => {
    const before = process.threadCpuUsage()
    const result = answer(options)
    const { user, system } = process.threadCpuUsage(before)
    ownCpuMs += (user + system) / 1_000
    return result
  }
  return {
    model: { specificationVersion: 'v4', provider: 'scripted', modelId: 'ladder', doGenerate },
    calls,
    promptCharacters: () => promptCharacters,
    ownCpuMs: () => ownCpuMs,
  }
}

function kindOf(schemaName: string, text: string): string {
  if (schemaName === 'varve_span') return 'conversation'
  return /Summaries of one (\w+)/.exec(text)?.[1] ?? 'fuse'
}

/** Returns the numbered items of a prompt's fence, with the indented lines below each. */
function itemsIn(prompt: string): Numbered[] {
  const items: { number: number; lines: string[]; isPersons: boolean }[] = []
  for (const line of prompt.split('\n')) {
    const [, number, head = '', said] = /^\[(\d+)\] (\(part \d+\) |[^():]+(?:\([^)]*\))?: )?(.*)$/.exec(line) ?? []
    if (number !== undefined)
      items.push({
        number: Number(number),
        lines: said === undefined || head === '' ? [] : [said],
        isPersons: !/^(?:\(|assistant|tool)|\((?:assistant|tool)/.test(head),
      })
    else if (line.startsWith('  - ')) items.at(-1)?.lines.push(line.slice(4))
  }
  return items
}

/** Makes bullets of persons' messages, since a shared bank may rest on nothing else. */
function leafOf(items: readonly Numbered[]): object[] {
  const said = items.filter(({ isPersons }) => isPersons)
  return said.slice(0, leafBullets).map(({ number, lines }) => ({ from: [number], text: shortened(lines[0] ?? '', leafWords) }))
}

/** Makes bullets of summaries, evenly over the time: the first bullet of each, then the second and so on. */
function digestOf(items: readonly Numbered[]): object[] {
  const bullets = Math.min(
    digestBullets,
    items.reduce((sum, { lines }) => sum + lines.length, 0),
  )
  return Array.from({ length: bullets }, (_, place) => {
    const item = items[Math.floor((place * items.length) / bullets)]
    const turn = Math.floor(place / Math.max(1, items.length)) + (items.length < bullets ? place % bullets : 0)
    const line = item?.lines[Math.min(turn, item.lines.length - 1)] ?? ''
    return { from: [item?.number ?? 0], text: shortened(line, digestWords) }
  })
}

function shortened(text: string, words: number): string {
  return text
    .split(' ')
    .filter((word) => !addressed.test(word))
    .slice(0, words)
    .join(' ')
}

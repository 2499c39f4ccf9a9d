import type { RepairReason } from '../reasons.ts'
import { isRecord } from './values.ts'

/** The words of a message's content, and what was left out of it. */
export interface BlockWords {
  readonly text: string
  readonly repairs: readonly RepairReason[]
  /** The number of blocks that hold a model's thoughts. */
  readonly thoughts: number
}

const leftOut: readonly (readonly [RegExp, RepairReason])[] = [
  [/image/u, 'image left out'],
  [/audio/u, 'audio left out'],
  [/file|document/u, 'file left out'],
]

/** Blocks that repeat a call which stands in a field of its own. */
const repeated = /^(?:tool_use|tool_call|function_call|tool_call_chunk|input_json_delta)$/u

/** Reads a content: a text, or the texts of its blocks (`text`, `input_text`, `output_text`, `refusal`, a transcript). */
export function readBlocks(content: string | readonly unknown[]): BlockWords {
  if (typeof content === 'string') return { text: content, repairs: [], thoughts: 0 }
  const texts: string[] = []
  const repairs: RepairReason[] = []
  let thoughts = 0
  for (const block of content) {
    const type = isRecord(block) && typeof block['type'] === 'string' ? block['type'] : ''
    const text = typeof block === 'string' ? block : textOf(block)
    if (/reasoning|thinking/u.test(type)) thoughts += 1
    else if (text !== undefined) texts.push(text)
    else if (!repeated.test(type)) repairs.push(leftOut.find(([words]) => words.test(type))?.[1] ?? 'part left out')
  }
  return { text: texts.filter((text) => text !== '').join('\n'), repairs, thoughts }
}

function textOf(block: unknown): string | undefined {
  if (!isRecord(block)) return undefined
  return [block['text'], block['refusal'], block['transcript'], block['logs']].find((text) => typeof text === 'string')
}

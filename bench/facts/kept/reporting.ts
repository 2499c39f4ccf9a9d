import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptCase } from './kept-case.ts'

/** The half that was written apart from the patterns, and on which nothing was chosen. */
export const reportingHalf: KeptCase[] = casesOf('reporting.jsonl')
/** A later half of the same kind: half of it typed to an assistant, half (`chat: …`) between friends. */
export const secondHalf: KeptCase[] = casesOf('second.jsonl')
/** The same once more, written after the facts of the other three were counted. */
export const thirdHalf: KeptCase[] = casesOf('third.jsonl')

function casesOf(file: string): KeptCase[] {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n')
    .map((line): KeptCase => JSON.parse(line))
}

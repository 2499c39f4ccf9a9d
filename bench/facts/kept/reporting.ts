import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptCase } from './kept-case.ts'

/** The half that was written apart from the patterns, and on which nothing was chosen. */
export const reportingHalf: KeptCase[] = readFileSync(join(import.meta.dirname, 'reporting.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line): KeptCase => JSON.parse(line))

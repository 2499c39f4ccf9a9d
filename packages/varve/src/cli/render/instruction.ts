import type { UserMemory } from '../../memory/user-memory.ts'
import { harmless, harmlessLine, minute, paint, paragraph } from '../terminal.ts'
import { writtenBy } from './hit.ts'

export type ListedInstruction = Awaited<ReturnType<UserMemory['instructions']['list']>>[number]

const indent = '   '

/** Shows an instruction: its text, its time and its end, the words of its message, and its id. */
export function instructionLines(instruction: ListedInstruction, width: number | undefined): string[] {
  const { id, text, by, noted, since, sources, edited, writer, provisional } = instruction
  const marks = [
    ...(writer === 'person' ? ['by hand'] : []),
    ...(noted === true ? ['noted by an agent'] : []),
    ...(edited ? ['edited'] : []),
  ]
  const last = sources.at(-1)
  const more = sources.length > 1 ? `, and ${sources.length - 1} more` : ''
  return [
    ...paragraph(`${harmlessLine(text)}${marks.length === 0 ? '' : `  [${marks.join(', ')}]`}`, { indent: '', width }),
    ...paragraph(`${harmlessLine(by)}, since ${minute(since)}${writtenBy({ writer, provisional })}`, { indent, width }).map(dim),
    ...endLines(instruction, width),
    ...(last === undefined
      ? []
      : paragraph(`"${harmless(last.text)}" = ${harmlessLine(last.session)} #${last.seq}${more}`, { indent, width }).map(dim)),
    dim(`${indent}id ${id}`),
  ]
}

/** Tells when an instruction ended, and by whose words. */
function endLines({ until, endedBy }: ListedInstruction, width: number | undefined): string[] {
  if (until === undefined) return []
  const how = endedBy?.text === undefined ? 'withdrawn' : `ended by ${harmlessLine(endedBy.by)}: "${harmless(endedBy.text)}"`
  return paragraph(`${how}, ${minute(until)}`, { indent, width }).map((line) => paint('yellow', line))
}

function dim(line: string): string {
  return paint('dim', line)
}

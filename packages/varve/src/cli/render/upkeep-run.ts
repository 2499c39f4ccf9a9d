import type { Memory } from '../../memory/memory.ts'
import { counted, harmless, harmlessLine, minute } from '../terminal.ts'

type ListedRun = Awaited<ReturnType<Memory['upkeep']['runs']>>[number]

/** Shows a run in a line, and a line for each kind of work and each reason. */
export function runLines({ at, project, by, ms, work, calls, inputTokens, outputTokens }: ListedRun): string[] {
  const cost =
    calls === 0 ? '' : `, ${counted(calls, 'call')}, ${counted(inputTokens, 'token')} in, ${outputTokens.toLocaleString('en')} out`
  const whose = project === undefined ? '' : `  ${harmlessLine(project)}`
  return [
    `${minute(at)}${whose}  ${by}, ${ms.toLocaleString('en')} ms${cost}`,
    ...work.flatMap(({ kind, due, done, failed, failures }) => [
      `  ${kind}: ${due.toLocaleString('en')} due, ${done.toLocaleString('en')} done, ${failed.toLocaleString('en')} failed`,
      ...failures.map(
        ({ code, reason, count }) => `    ${harmless(reason === code ? code : `${code}: ${reason}`)} (${counted(count, 'time')})`,
      ),
    ]),
  ]
}

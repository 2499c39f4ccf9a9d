import { columns, paint, paragraph, print } from '../terminal.ts'

/** The columns to fill. A pipe gets 80, as a usual terminal has. */
export const width = columns() ?? 80

export async function withTime<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const start = performance.now()
  const result = await work()
  return { result, ms: performance.now() - start }
}

/** Prints the heading of a step, and how long the step took. */
export function heading(text: string, ms?: number): void {
  print(
    `\n${paint(['bold', 'cyan'], text)}${
      ms === undefined
        ? ''
        : `  ${paint(
            'dim',
            ms < 1000
              ? `${ms.toFixed(1)} \
ms`
              : `${(ms / 1000).toFixed(2)} s`,
          )}`
    }`,
  )
}

/** Prints a text as a model would read it, behind a rule. */
export function quote(text: string): void {
  for (const line of paragraph(text, { indent: '', width: width - 4 })) print(`  ${paint('dim', '│')} ${line}`.trimEnd())
}

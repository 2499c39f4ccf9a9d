import { parseArgs } from 'node:util'

/** An option of a bench: `--name <value>`; one without a default is required. */
export interface Option {
  readonly value: string
  readonly text: string
  readonly default?: string
}

/** Reads the command line, or prints the help. Ends the process after the help (0) and after a mistake (2). */
export function readArguments<Name extends string>(
  bench: string,
  about: string,
  options: Readonly<Record<Name, Option>>,
  from = process.argv.slice(2),
): Readonly<Record<Name, string>> {
  const entries = Object.entries<Option>(options)
  const config = Object.fromEntries(entries.map(([name]) => [name, { type: 'string' as const }]))
  const values = parsed(from, { ...config, help: { type: 'boolean' as const } })
  if (values['help'] === true) {
    console.log(help(bench, about, entries))
    process.exit(0)
  }
  const read = entries.map(([name, option]) => [
    name,
    values[name] ?? option.default ?? stop(`--${name} <${option.value}> is missing: ${option.text}`),
  ])
  // Every name of `options` has its value by now, or the process has ended.
  return Object.fromEntries(read) as Record<Name, string>
}

/** Reads a whole number within bounds, or ends the process. */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most)
    stop(`--${name} must be a whole number from ${least} to ${most}, received ${text}`)
  return value
}

/** Prints the mistake in a bench's arguments or data, and ends the process. */
export function stop(message: string): never {
  console.error(message)
  process.exit(2)
}

function parsed(
  args: readonly string[],
  options: Readonly<Record<string, { type: 'string' | 'boolean' }>>,
): Readonly<Record<string, unknown>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}\nSee --help.`)
  }
}

function help(bench: string, about: string, options: readonly (readonly [string, Option])[]): string {
  const flags = options.map(([name, { value }]) => `--${name} <${value}>`)
  const width = Math.max(...flags.map((flag) => flag.length), 6)
  const lines = options.map(([, option], index) => {
    const fallback = option.default === undefined ? '' : option.default === '' ? '' : ` Default: ${option.default}.`
    return `  ${(flags[index] ?? '').padEnd(width)}  ${option.text}${fallback}`
  })
  return [`npm run bench:${bench} -- [options]`, '', about, '', ...lines, `  ${'--help'.padEnd(width)}  This text.`].join('\n')
}

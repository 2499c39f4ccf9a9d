// Makes the table of errors that the server shows, from docs/reference/errors.md: `npm run api` writes it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const reference = join(dirname(import.meta.dirname), 'docs', 'reference', 'errors.md')

export function errorRows(): string {
  const rows = readFileSync(reference, 'utf8')
    .split('\n')
    .filter((line) => /^\| `[A-Z_]+` \|/.test(line))
    .map((line) => {
      const [code = '', name = '', retry = '', facts = '', when = ''] = line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''))
      const bare = (cell: string): string => cell.replaceAll('`', '')
      // The page has no other page beside it: a link keeps its words.
      return { code: bare(code), name: bare(name), retry, facts: bare(facts), when: when.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1') }
    })
  return `${JSON.stringify(rows, null, 1)}\n`
}

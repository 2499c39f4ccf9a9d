import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

const readme = read('README.md')

/** The cells of a table's rows, without marks of emphasis. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .replaceAll('*', '')
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

test('the README beside others: each figure is the one that was measured', () => {
  const rows = rowsOf(read('docs/reference/peers.md'))
  const [names = []] = rows.filter(([first]) => first === 'system')
  const figures = ['Varve', 'mem0ai/oss, infer: false', '@mastra/memory + libsql'].map((system) => {
    const row = rows.find(([first]) => first === system) ?? []
    const of = (name: string): string => row[names.indexOf(name)] ?? ''
    const cpu = of('recall, CPU-ms')
      .split(' + ')
      .reduce((sum, part) => sum + Number(part), 0)
    const bytes = Number(of('bytes/message').replace(',', ''))
    return [of('any@10'), `${cpu.toFixed(cpu < 100 ? 1 : 0)} ms`, `${(bytes / 1_000).toFixed(1)} KB`]
  })
  expect(figures.flat().join(' ')).not.toMatch(/NaN|undefined/)
  const told = rowsOf(readme)
  const begin = told.findIndex(([, varve]) => varve === 'Varve')
  for (const [place, row] of told.slice(begin + 1, begin + 4).entries()) expect(row.slice(1)).toEqual(figures.map((of) => of[place]))
  expect(readme).toContain('Measured on 2026-11-22')
})

test('the README sells on its first screen, and is short', () => {
  const lines = readme.trimEnd().split('\n')
  expect(lines.length).toBeLessThan(150)
  const place = (part: string): number => lines.findIndex((line) => line.includes(part))
  const order = ['It needs no key', '```ts', '![', '| mem0', 'npm ci && npm start'].map(place)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order.every((at) => at >= 0 && at < 40)).toBe(true)
})

test('the picture in the README is of what npm start prints, and holds each part', () => {
  expect(readme).toContain('](docs/start.svg)')
  const picture = read('docs/start.svg')
  const parts = ['Import examples/ferry-kiosk/', 'Read the conversations', 'An earlier fact', 'Recall "', 'Context for "']
  for (const part of parts) expect(picture).toContain(part)
  expect(picture).toContain('18 sessions summed up')
  expect(picture).not.toMatch(/\/tmp|\/home|\/work|<script|<image|href/)
  const sample = read('examples/ferry-kiosk/conversations.jsonl')
  expect(sample).toContain('Fine, spare key under the pot for now')
  expect(picture).toContain('Fine, spare key under the pot for now')
})

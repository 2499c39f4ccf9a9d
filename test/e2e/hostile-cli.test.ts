import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { families, type HostileText } from '../fixtures/hostile/attack.ts'
import { hostileTexts } from '../fixtures/hostile/attacks.ts'
import { heldBack } from '../fixtures/hostile/check.ts'
import { plant } from '../fixtures/hostile/planted.ts'
import { typedIn } from '../fixtures/cli/typed.ts'

const { varve, store } = typedIn('hostile')

/** Texts of a family that are planted together. A name is planted by itself. */
const together = 8

/** Commands that print remembered text. Those with `#` run for every plant. */
const printing: Readonly<Record<string, readonly (readonly string[])[]>> = {
  recall: [['recall', 'ferry', '--limit', '100']],
  context: [['context', 'ferry', '--session', 'now1', '--max-tokens', '8000']],
  sessions: [
    ['sessions', '--limit', '1000'],
    ['sessions', 'show', 'now#', '--limit', '100'],
  ],
  blocks: [['blocks']],
  documents: [['documents'], ['documents', 'recollect', 'ferry', 'leaves']],
  notes: [['notes'], ['notes', 'revisions', 'now#']],
  gists: [
    ['gists', '--limit', '1000'],
    ['gists', 'show', 'past#'],
    ['gists', 'revisions', 'past#'],
  ],
  facts: [
    ['facts', '--limit', '1000'],
    ['facts', 'recall', 'ferry'],
    ['facts', 'merges'],
  ],
  instructions: [['instructions']],
  bank: [['bank'], ['bank', 'entries'], ['bank', 'history']],
  contexts: [['contexts'], ['contexts', 'show', '@first'], ['contexts', 'compare', '@last', '@first']],
  profile: [['profile']],
  timeline: [['timeline', '--limit', '1000']],
  imports: [['imports', '--limit', '100']],
}

/** Commands that print counts, settings, receipts or the caller's own input; and export, whose lines are data (memory-export.test.ts). */
const others = [
  // Talks with a model: cli-chat.test.ts.
  'chat',
  'serve',
  // Its answers: mcp-hostile.test.ts.
  'mcp',
  'import',
  'export',
  'append',
  'compact',
  'forget',
  'pending-forget',
  'replace',
  'projects',
  'users',
  'upkeep',
  // Names that an operator gave: cli-keys.test.ts.
  'keys',
  'audit',
  'ledger',
  'settings',
  'doctor',
  'receipts',
  'backup',
  'restore',
  'migrate',
  // Tells what comes while it runs: cli-events.test.ts.
  'events',
  // Write and answer the hooks of an agent: hooks-install.test.ts, mcp-install.test.ts, hooks-answer.test.ts.
  'hooks',
  'hook',
  'completion',
]

/** Takes away pairs of direction marks that reach no further than their line: they may stay. */
function withoutPairs(text: string): string {
  const held = String.raw`([^\n\u202a-\u202e\u2066-\u2069]{1,200})`
  return text
    .replace(new RegExp(String.raw`[\u2066-\u2068]${held}\u2069`, 'gu'), '$1')
    .replace(new RegExp(String.raw`[\u202a\u202b]${held}\u202c`, 'gu'), '$1')
}

interface Planted {
  readonly attacks: readonly HostileText[]
  readonly text: string
  readonly name?: string
}

const plants: readonly Planted[] = families.flatMap((family) => {
  const mine = hostileTexts.filter((one) => one.family === family && one.isLong !== true)
  const texts = mine.filter(({ isName }) => isName !== true)
  const packs = Array.from({ length: Math.ceil(texts.length / together) }, (_, at) => texts.slice(at * together, (at + 1) * together))
  return [
    ...packs.map((attacks) => ({ attacks, text: attacks.map(({ text }) => text).join('\n\n') })),
    // A name in ASCII may begin a line of its own here, as the head of an item.
    ...mine
      .filter(({ isName, text }) => isName === true && /[^ -~]|[<[]/.test(text))
      .map((one) => ({ attacks: [one], text: 'hello ferry', name: one.text })),
  ]
})

/** The ids of two past contexts. */
const shown = new Map<string, string>()

beforeAll(async () => {
  await using memory = await openMemory({
    store: `sqlite:${store}`,
    upkeep: 'manual',
    embeddingModel: false,
    layers: { documents: true, notes: true },
  })
  for (const [place, one] of plants.entries()) await plant(memory.for('ada'), one, String(place))
  for (const [name, session] of [
    ['@first', 'now1'],
    ['@last', 'now2'],
  ] as const)
    shown.set(name, (await memory.for('ada').context({ query: 'ferry', session, maxTokens: 20_000 })).id)
}, 120_000)

test('every command is in the list of those that print remembered text, or of the others', () => {
  const source = readFileSync(new URL('../../packages/varve/src/cli/commands.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/^ {4}'?([\w-]+)'?: \{(?: about|$)/gm)].map(([, name]) => name)
  expect([...Object.keys(printing), ...others].toSorted()).toEqual(names.toSorted())
})

describe('nothing that a terminal, a reader or a model obeys is printed by', () => {
  const lines = Object.values(printing)
    .flat()
    .map((args) => ({ line: args.join(' '), args }))

  test.each(lines)('varve $line', async ({ args }) => {
    const rounds = args.some((word) => word.includes('#')) ? plants.map((_, place) => place).filter((place) => place % 7 === 0) : [0]
    for (const round of rounds) {
      const { code, stdout, stderr } = await varve([
        ...args.map((word) => shown.get(word) ?? word.replace('#', String(round))),
        '--user',
        'ada',
      ])
      expect(stderr).not.toMatch(/unknown option|error:/)
      expect(code).toBe(0)
      const found = plants.flatMap(({ attacks }) => attacks.flatMap((one) => heldBack(withoutPairs(stdout + stderr), one)))
      expect(found).toEqual([])
    }
  })
})

test('an import that waits is shown, and nothing in it is obeyed', async () => {
  for (const one of plants.filter((_, place) => place % 7 === 0)) {
    await using source = await openMemory({
      store: 'memory:',
      upkeep: 'manual',
      embeddingModel: false,
      layers: { documents: true, notes: true },
    })
    await plant(source.for('ada'), one)
    await using memory = await openMemory({ store: `sqlite:${store}`, upkeep: 'manual', embeddingModel: false })
    const { id } = await memory.for('ada').import(source.for('ada').export())
    const { code, stdout, stderr } = await varve(['imports', 'show', id, '--user', 'ada'])
    expect(code).toBe(0)
    expect(one.attacks.flatMap((attack) => heldBack(withoutPairs(stdout + stderr), attack))).toEqual([])
    await memory.for('ada').imports.discard(id)
  }
}, 60_000)

test('JSON has signs that a terminal obeys or nobody sees escaped, and is the same data', async () => {
  for (const [place, { text }] of plants.entries()) {
    if (place % 7 !== 0) continue
    const { stdout } = await varve(['sessions', 'show', `now${place}`, '--user', 'ada', '--json'])
    expect(stdout).not.toMatch(/[\u009b\u202a-\u202e\u{e0000}-\u{e007f}]/u)
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(text))
  }
})

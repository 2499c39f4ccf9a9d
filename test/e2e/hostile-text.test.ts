import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { renderedTiers } from '../../packages/varve/src/context/tiers.ts'
import { defused } from '../../packages/varve/src/messages/defused.ts'
import { nameLine, shownName } from '../../packages/varve/src/messages/shown-name.ts'
import { loadTokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { families, type HostileText } from '../fixtures/hostile/attack.ts'
import { hostileTexts } from '../fixtures/hostile/attacks.ts'
import { heldBack } from '../fixtures/hostile/check.ts'
import { harmlessTexts } from '../fixtures/hostile/harmless.ts'
import { plant } from '../fixtures/hostile/planted.ts'
import { maxTokens, others, type Planted, prompts, renderings, tiersShown, tools, wholeNames } from '../fixtures/hostile/renderings.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false, layers: { documents: true, notes: true } })
const tokenizer = await loadTokenizer()

async function planted(text: string, isName = false): Promise<Planted> {
  const user = shared.user()
  const what = isName ? { text: 'hello ferry', name: text } : { text }
  await plant(user, what)
  return { ...what, user, tokenizer }
}

/** Returns the renderings that let an attack through, with the signs that they hold. */
async function through(hostile: HostileText): Promise<string[]> {
  const world = await planted(hostile.text, hostile.isName)
  const found: string[] = []
  for (const [name, render] of Object.entries(renderings)) {
    if (hostile.isLong === true && wholeNames.has(name)) continue
    const rendered = await render(world)
    found.push(...heldBack(rendered, hostile).map((sign) => `${name} holds ${sign} of ${JSON.stringify(hostile.text.slice(0, 80))}`))
    if ((name === 'context' || name === 'bank') && tokenizer.count(rendered) > maxTokens) found.push(`${name} is over its budget`)
  }
  return found
}

test('there are 300 attacks in 12 families, and 300 harmless texts', () => {
  expect(new Set(hostileTexts.map(({ text }) => text)).size).toBe(hostileTexts.length)
  expect(hostileTexts.length).toBeGreaterThanOrEqual(300)
  expect(new Set(hostileTexts.map(({ family }) => family)).size).toBeGreaterThanOrEqual(12)
  expect(new Set(harmlessTexts.map(({ text }) => text)).size).toBeGreaterThanOrEqual(300)
})

// requirement: P4.14
describe('no rendering lets through', () => {
  test.each(families)('%s', async (family) => {
    const attacks = hostileTexts.filter((one) => one.family === family)
    const found: string[] = []
    for (const attack of attacks) found.push(...(await through(attack)))
    expect(found).toEqual([])
  })
})

test('harmless text is shown as it was said, and is stored byte for byte', async () => {
  const inset = (text: string): string => text.replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\n  ')
  for (const { text, shown, isName = false } of harmlessTexts) {
    expect(isName ? shownName(text) : defused(text)).toBe(shown)
    const user = shared.user()
    await user.append('now', { role: 'user', content: isName ? 'ferry' : text, ...(isName ? { name: text } : {}) })
    const { text: context } = await user.context({ session: 'now', query: 'ferry', maxTokens })
    expect(context).toContain(isName ? `${shown}: ` : `user: ${inset(shown)}\n`)
    const [stored] = await user.messages('now')
    expect(isName ? stored?.name : stored?.content).toBe(text)
  }
})

test('hostile text is stored byte for byte', async () => {
  const user = shared.user()
  const texts = hostileTexts.map(({ text }) => text)
  await user.append(
    'all',
    texts.map((content) => ({ role: 'user' as const, content })),
  )
  const stored = await user.messages('all', { limit: 1_000 })
  expect(stored.map(({ content }) => content)).toEqual(texts)
})

test('to defuse a text again changes nothing', () => {
  for (const { text } of [...hostileTexts, ...harmlessTexts]) {
    expect(defused(defused(text))).toBe(defused(text))
    expect(nameLine(nameLine(text))).toBe(nameLine(text))
  }
})

describe('the list of renderings has', () => {
  test('every tier of a context', () => {
    // The bank has one text for its tier and for its own call.
    expect([...Object.keys(tiersShown), 'bank'].toSorted()).toEqual([...renderedTiers].toSorted())
    expect(Object.keys(others)).toContain('bank')
  })

  test('every prompt to a model', () => {
    const folder = new URL('../../packages/varve/src/tasks/', import.meta.url)
    const made = readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^export function (\w*(?:Prompt|Retry))\(/gm)])
      .map(([, name]) => name)
    expect(Object.keys(prompts).toSorted()).toEqual(made.toSorted())
  })

  test('every answer of an agent’s tool', () => {
    const user = shared.user()
    const made = [user.blocks.tools(), user.documents.tools(), user.facts.tools(), user.instructions.tools()]
    expect(Object.keys(tools).toSorted()).toEqual(made.flatMap((some) => Object.keys(some)).toSorted())
  })

  test('every file that puts a text into Varve’s fence', () => {
    const sources = new URL('../../packages/varve/src/', import.meta.url)
    const fencing = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'messages/fence.ts')
      .filter((name) => readFileSync(new URL(name, sources), 'utf8').includes('openFence('))
    expect(fencing.toSorted()).toEqual(['context/assemble.ts', 'context/compact/notes-text.ts', 'mcp/fenced.ts', 'tasks/quoted.ts'])
  })
})

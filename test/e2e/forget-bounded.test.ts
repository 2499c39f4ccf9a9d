import { describe, expect, test } from 'vitest'
import { editDocumentAhead } from '../../packages/varve/src/documents/write-documents.ts'
import { MemoryClosed } from '../../packages/varve/src/errors/memory-closed.ts'
import { logWrites } from '../../packages/varve/src/log/writes.ts'
import { indexPagesInTurns, passagesAtOnce } from '../../packages/varve/src/pages/index-page.ts'
import { privacyWrites } from '../../packages/varve/src/privacy/writes.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { pagesToIndex } from '../../packages/varve/src/storage/pages/pages.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'
import { tell } from '../fixtures/pages/engine.ts'

const ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
const talk = sessionName('talk')
const byHand = { writer: 'person', isTool: false, during: undefined }
const agent = { writer: 'agent', isTool: true, during: talk }
const unchanged = { description: undefined, maxChars: 200_000, revision: undefined }
const secret = 'zqsecretq'

/** Makes documents of some passages each. A line in each rests on the one message, whose id it gives. */
async function documents(place: CountingPlace, count: number, passages: number): Promise<string> {
  const [id = ''] = await place.write(() => tell(ada, talk, [{ subject: 'plan', fact: 'The plan is good.' }]))
  for (let at = 0; at < count; at += 1) {
    const content = Array.from({ length: passages }, (_, line) => `# Part ${at} ${line}\nIt is about ${line} and ${at}.`).join('\n')
    await editDocumentAhead(place, ada, `plan ${at}`, { ...unchanged, content }, byHand, place.now)
    for (const by of [byHand, agent, byHand]) {
      const text = by === agent ? `# Secret ${at}\n${secret} ${at}` : '# More\nthat is no secret'
      await editDocumentAhead(place, ada, `plan ${at}`, { ...unchanged, edits: [{ tool: 'append', text }] }, by, place.now)
    }
  }
  place.transactions = []
  return id
}

const passagesOf = (place: CountingPlace): readonly unknown[] => place.rows('SELECT content FROM item WHERE page_id > 0 ORDER BY content')

/** Reads the pages in the store, without regard to the order of their writing. */
const held = (place: CountingPlace): readonly unknown[] => [
  passagesOf(place),
  place.rows('SELECT name, revision, description, content, indexed FROM page ORDER BY name'),
  place.rows('SELECT page_id, revision, content, authors, spans, described_by FROM page_revision ORDER BY page_id, revision'),
]

const erasing = {
  forget: (place: CountingPlace, id: string) => privacyWrites.forget(place, ada, { messages: [id] }),
  replace: (place: CountingPlace, id: string) => logWrites.replace(place, ada, id, 'It is bad.'),
}

describe.each(Object.entries(erasing))('%s of a message under documents of some thousand passages', (_, erase) => {
  test('takes no more passages in one transaction than others do', async () => {
    using place = new CountingPlace()
    const id = await documents(place, 3, 700)
    await erase(place, id)
    // For each passage: its row, its terms and a tombstone. Beside them some rows of each document.
    expect(place.most('changed')).toBeLessThanOrEqual(4 * passagesAtOnce)
    expect(passagesOf(place)).toHaveLength(3 * 701)
    expect(JSON.stringify(held(place))).not.toContain(secret)
  })

  test('ends as if nothing had come between, when a page is indexed again before its last transaction', async () => {
    using place = new CountingPlace()
    const id = await documents(place, 2, 250)
    place.before = async (n) => {
      if (n !== 1) return
      place.before = async () => undefined
      expect(await indexPagesInTurns(place, place.now)).toBe(true)
    }
    await erase(place, id)
    using other = new CountingPlace()
    await erase(other, await documents(other, 2, 250))
    expect(held(place)).toEqual(held(other))
    expect(JSON.stringify(held(place))).not.toContain(secret)
  })

  test('leaves every page as it was when it ends before its last transaction, and upkeep has all of it found again', async () => {
    using place = new CountingPlace()
    const id = await documents(place, 2, 250)
    const before = held(place)
    place.before = async (n) => {
      if (n === 1) throw new MemoryClosed()
    }
    await expect(erase(place, id)).rejects.toThrow(MemoryClosed)
    place.before = async () => undefined
    expect((await place.read(pagesToIndex())).length).toBeGreaterThan(0)
    await privacyWrites.finish(place)
    expect(held(place)).toEqual(before)
    await erase(place, id)
    expect(JSON.stringify(held(place))).not.toContain(secret)
  })
})

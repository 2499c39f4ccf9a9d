import { describe, expect, test } from 'vitest'
import { appendsIn } from '../../packages/varve/src/log/appends.ts'
import { logWrites } from '../../packages/varve/src/log/writes.ts'
import { privacyWrites } from '../../packages/varve/src/privacy/writes.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'

const ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
const talk = sessionName('talk')
const long = `The harbour opens at seven. ${'ferry '.repeat(20_000)}`

const said = (content: string) => ({
  role: 'user' as const,
  origin: 'person' as const,
  name: 'Ada',
  externalId: 'x',
  thread: null,
  parts: null,
  metadata: '{"a":1}',
  content,
  saidAt: 5,
})

/** Appends a message; gives back its id. */
async function told(place: CountingPlace): Promise<string> {
  const [appended] = await logWrites.append(place, ada, talk, [
    said('The quay is old, and the harbour opens at seven in the morning on every day of the week.'),
  ])
  return appended?.id ?? ''
}

describe('replacing a message by a long text', () => {
  test('analyses the text before its transaction begins', async () => {
    using place = new CountingPlace()
    const id = await told(place)
    const { preparation } = appendsIn(place)
    const prepare = preparation.prepareReplacement.bind(preparation)
    const during: boolean[] = []
    preparation.prepareReplacement = (...given) => {
      during.push(place.isWriting)
      return prepare(...given)
    }
    await logWrites.replace(place, ada, id, long)
    await logWrites.replace(place, ada, id, 'The quay is new.')
    expect(during).toEqual([false, true])
  })

  test('stores what appending it would', async () => {
    using place = new CountingPlace()
    using other = new CountingPlace()
    const { message } = await logWrites.replace(place, ada, await told(place), long)
    await told(other)
    await logWrites.append(other, ada, talk, [{ ...said(long), externalId: 'y' }])
    expect(message.content).toBe(long)
    const newest =
      'SELECT name, role, origin, metadata, content, recalled, message.said_at, tokens, body, traits FROM message JOIN ' +
      'message_terms USING (partition_id, ord) ORDER BY ord DESC LIMIT 1'
    expect(place.rows(newest)).toEqual(other.rows(newest))
    expect(place.rows('SELECT seq, external_id FROM message')).toEqual([{ seq: 1, external_id: 'x' }])
  })

  test('stores nothing of it when the message is forgotten while it is analysed', async () => {
    using place = new CountingPlace()
    const id = await told(place)
    const at = place.transactions.length
    place.before = async (n) => {
      if (n !== at) return
      place.before = async () => undefined
      await privacyWrites.forget(place, ada, { messages: [id] })
    }
    await expect(logWrites.replace(place, ada, id, long)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(['message', 'message_terms'].flatMap((table) => place.rows(`SELECT * FROM ${table}`))).toEqual([])
  })

  test('puts the last of two in its place, at the same seq', async () => {
    using place = new CountingPlace()
    const id = await told(place)
    await Promise.all([logWrites.replace(place, ada, id, long), logWrites.replace(place, ada, id, `${long}again`)])
    expect(place.rows('SELECT seq, content FROM message')).toEqual([{ seq: 1, content: `${long}again` }])
    expect(place.rows('SELECT ord FROM message_terms')).toHaveLength(1)
  })
})

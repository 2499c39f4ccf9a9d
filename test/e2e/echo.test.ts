import { expect, test } from 'vitest'
import type { Message, UserMemory } from '../../packages/varve/src/index.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory()
const byWords = sharedMemory({ embeddingModel: false })
const sentence =
  'Remember that the "zeppelin" museum in Friedrichshafen closes its upper gallery\nevery second Thursday of November, except ' +
  'for members of the C:\\new club.'
const fresh = 'My aunt Philomena arrives on Sunday.'

/** Opens a handle whose session `now` was just shown the sentence, from another session. */
async function shown(ada: UserMemory = shared.user()): Promise<{ ada: UserMemory; text: string; line: string }> {
  await ada.append('past', { role: 'user', content: sentence })
  const { text } = await ada.context({ session: 'now', query: 'zeppelin museum gallery' })
  const [line = ''] = /^user: Remember[^]*?club\.$/m.exec(text) ?? []
  expect(line).not.toBe('')
  return { ada, text, line }
}

/** Appends to a session and reads it back. */
async function heard(ada: UserMemory, content: string, session = 'now'): Promise<Message | undefined> {
  await ada.append(session, { role: 'assistant', content })
  return (await ada.messages(session)).at(-1)
}

function marked(message: Message | undefined): string {
  return (message?.recalled ?? []).map(({ from, to }) => message?.content.slice(from, to)).join('|')
}

const once = (text: string): string => JSON.stringify(text)
const twice = (text: string): string => JSON.stringify({ result: JSON.stringify({ said: text }) })
const forms: Record<string, (shown: { text: string; line: string }) => string> = {
  'the whole context': ({ text }) => text,
  'the context without its fence': ({ text }) => text.split('\n').slice(1, -1).join('\n'),
  'the context cut in the middle': ({ text }) => text.slice(0, text.indexOf('Thursday')),
  'the context with its beginning cut off': ({ text }) => text.slice(text.indexOf('closes')),
  'the bare sentence': () => sentence,
  'a part of the sentence': () => sentence.slice(30, 110),
  'the sentence in other whitespace and case': () => sentence.replace(/\s+/g, '\n\n   ').toUpperCase(),
  'the sentence in Markdown': () =>
    sentence
      .split(' ')
      .map((word) => `**${word}**`)
      .join(' '),
  'the context as JSON': ({ text }) => once(text),
  'the context as JSON in JSON': ({ text }) => twice(text),
  'the sentence as JSON in JSON, cut': () => twice(sentence).slice(0, -30),
  'the line within other words': ({ line }) => `Well, well. ${line} So be it.`,
}

for (const [form, make] of Object.entries(forms)) {
  // requirement: P4.10
  test(`an echo is marked and not indexed: ${form}`, async () => {
    const past = await shown()
    const message = await heard(past.ada, make(past))
    expect(message?.recalled?.length).toBeGreaterThan(0)
    expect(marked(message).toLowerCase()).toMatch(/gallery/)
    for (const query of ['zeppelin museum', 'Friedrichshafen', 'upper gallery', 'second Thursday']) {
      expect(
        (await past.ada.recall(query)).hits.map(({ session }) => session),
        query,
      ).toEqual(['past'])
    }
    expect(message?.content).toBe(make(past))
  })
}

test('fresh words beside an echo are found, by themselves alone', async () => {
  const { ada, text, line } = await shown()
  for (const [place, content] of [`${fresh} ${line}`, `${line} ${fresh}`, `${text}\n${fresh}`, `${once(line)}, and ${fresh}`].entries()) {
    const message = await heard(ada, content)
    expect(marked(message)).not.toMatch(/Philomena/)
    expect((await ada.recall('Philomena', { session: 'now' })).hits.map(({ seq }) => seq).toSorted()).toContain(place + 1)
    expect((await ada.recall('zeppelin')).hits.map(({ session }) => session)).toEqual(['past'])
  }
})

test('seven words in a row are anybody’s; eight are an echo', async () => {
  const { ada } = await shown()
  const words = 'museum in Friedrichshafen closes its upper gallery every'.split(' ')
  expect(await heard(ada, words.slice(0, 7).join(' '))).not.toHaveProperty('recalled')
  expect(await heard(ada, words.join(' '))).toMatchObject({ recalled: [{ from: 0, to: words.join(' ').length }] })
})

test('a session knows its last twenty contexts, and not the one before', async () => {
  const { ada } = await shown()
  await ada.append('past', { role: 'user', content: 'the ferry leaves at nine from the northern pier on all days of the week' })
  const more = () => ada.context({ session: 'now', query: 'ferry northern pier', tiers: { recent: { limit: 0 }, details: { limit: 1 } } })
  for (let context = 0; context < 19; context += 1) expect((await more()).text).not.toContain('zeppelin')
  expect(await heard(ada, sentence)).toHaveProperty('recalled')
  await more()
  expect(await heard(ada, sentence)).not.toHaveProperty('recalled')
  expect((await ada.recall('zeppelin')).hits.map(({ session }) => session)).toContain('now')
})

const short: ReadonlySet<string> = new Set(['a part of the sentence'])

for (const [form, make] of Object.entries(forms).filter(([name]) => !short.has(name))) {
  // requirement: P4.10
  test(`an echo is marked in another session of its partition: ${form}`, async () => {
    const past = await shown()
    const message = await heard(past.ada, make(past), 'elsewhere')
    expect(marked(message).toLowerCase()).toMatch(/gallery/)
    expect((await past.ada.recall('zeppelin museum')).hits.map(({ session }) => session)).toEqual(['past'])
    expect(message?.content).toBe(make(past))
  })
}

test('fresh words beside an echo from another session are found; fifteen shown words in a row are anybody’s', async () => {
  const { ada, line } = await shown()
  const message = await heard(ada, `${fresh} ${line}`, 'elsewhere')
  expect(marked(message)).not.toMatch(/Philomena/)
  expect((await ada.recall('Philomena')).hits.map(({ session }) => session)).toEqual(['elsewhere'])
  const words = sentence.split(/\s+/).slice(0, 15).join(' ')
  expect(await heard(ada, words, 'elsewhere')).not.toHaveProperty('recalled')
  expect(await heard(ada, sentence.split(/\s+/).slice(0, 18).join(' '), 'elsewhere')).toHaveProperty('recalled')
})

test('what sessions were shown is forgotten with it: an echo of what was erased marks nothing', async () => {
  const { ada } = await shown()
  await ada.forget({ session: 'past' })
  expect(await heard(ada, sentence, 'elsewhere')).not.toHaveProperty('recalled')
})

test.each(['this', 'another'])('what was known as an echo before a forget of %s process marks nothing after it', async (where) => {
  const store = newStore()
  const [one, other] = [await openForTest({ store, embeddingModel: false }), await openForTest({ store, embeddingModel: false })]
  const { ada } = await shown(one.for('ada'))
  expect(await heard(ada, sentence, 'first')).toHaveProperty('recalled')
  await (where === 'this' ? one : other).for('ada').forget({ session: 'past' })
  expect(await heard(ada, sentence, 'second')).not.toHaveProperty('recalled')
  expect((await ada.recall('zeppelin museum gallery')).hits.map(({ session }) => session)).toEqual(['second'])
})

test.each(['a user', 'the project'])('a document of %s that is erased is known as an echo no more', async (whose) => {
  const memory = await openForTest({ embeddingModel: false })
  const ada = memory.for('ada')
  const { documents } = whose === 'a user' ? ada : memory.project('default')
  await documents.edit('Museum', sentence)
  expect((await ada.context({ session: 'now', query: 'zeppelin museum gallery' })).text).toContain('upper gallery')
  expect(await heard(ada, sentence)).toHaveProperty('recalled')
  await documents.delete('Museum')
  expect(await heard(ada, sentence)).not.toHaveProperty('recalled')
})

// requirement: P2.10
test('what was shown to another user’s session of the same name marks nothing here', async () => {
  await shown()
  expect(await heard(shared.user(), sentence)).not.toHaveProperty('recalled')
  expect(await heard(shared.user(), sentence, 'elsewhere')).not.toHaveProperty('recalled')
})

test('what was shown is known after the store was opened anew, and by words, not in the clear', async () => {
  const store = newStore()
  const first = await openForTest({ store })
  await shown(first.for('ada'))
  await first.close()
  const second = await openForTest({ store })
  expect(await heard(second.for('ada'), sentence)).toHaveProperty('recalled')
})

test('an echo in the words that replace a message is known as well', async () => {
  const { ada } = await shown()
  const {
    messages: [message],
  } = await ada.append('now', { role: 'assistant', content: fresh })
  const replaced = await ada.replace(message?.id ?? '', sentence)
  expect(replaced.message).toHaveProperty('recalled')
  expect((await ada.recall('zeppelin museum')).hits.map(({ session }) => session)).toEqual(['past'])
})

const others: Record<string, readonly [text: string, query: string, rare: string]> = {
  German: [
    'Die Straßenbahn zum Schloß fährt während der Sommermonate über den großen Marktplatz und hält dort dreimal täglich.',
    'Straßenbahn Schloß',
    'Marktplatz',
  ],
  Russian: [
    'Каждое воскресенье бабушка печёт пироги с яблоками и зовёт всех соседей на большую веранду пить чай.',
    'бабушка пироги',
    'веранду',
  ],
  Arabic: ['سافر أخي الكبير مع أصدقائه إلى المدينة القديمة قرب البحر وأقام هناك ثلاثة أسابيع كاملة.', 'المدينة القديمة', 'أسابيع'],
  Chinese: ['我奶奶每个星期天都会用院子里的苹果烤一个大馅饼，然后请所有的邻居到阳台上喝茶聊天。', '奶奶 苹果 馅饼', '阳台'],
  Japanese: [
    '祖母は毎週日曜日に庭のりんごで大きなパイを焼いて、近所の人たちをベランダに招いてお茶を飲みます。',
    '祖母 りんご パイ',
    '近所',
  ],
  Thai: ['คุณยายอบพายแอปเปิ้ลทุกวันอาทิตย์และเชิญเพื่อนบ้านทุกคนมาดื่มชาที่ระเบียงใหญ่หลังบ้านของเรา', 'คุณยาย แอปเปิ้ล', 'ระเบียง'],
}
/** Writes JSON as Python does by default: only ASCII. The texts are all of the basic plane. */
function ascii(text: string): string {
  return JSON.stringify(text).replace(/\P{ASCII}/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

for (const [language, [text, query, rare]] of Object.entries(others)) {
  test(`an echo is known in ${language}: as it is, as JSON, and as JSON in ASCII, once and twice`, async () => {
    const ada = shared.user()
    await ada.append('past', { role: 'user', content: text })
    expect((await ada.context({ session: 'now', query })).text).toContain(text)
    for (const [place, content] of [
      text,
      JSON.stringify(text),
      twice(text),
      ascii(text),
      JSON.stringify({ result: ascii(text) }),
    ].entries()) {
      const message = await heard(ada, content)
      expect(message, `form ${place}: ${content}`).toHaveProperty('recalled')
    }
    expect((await ada.recall(rare)).hits.map(({ session }) => session)).toEqual(['past'])
  })
}

test('by words alone, an echo in a long answer is not shown as a part of it', async () => {
  const ada = byWords.user()
  const { text } = await shown(ada)
  const own = Array.from({ length: 60 }, (_, place) => `The zeppelin number ${place} of my own has a gondola.`).join(' ')
  await heard(ada, `${text}\n\n${own}`, 'now')
  const later = await ada.context({ session: 'later', query: 'Which zeppelin museum gallery closes?' })
  expect(later.text).toContain('of my own')
  expect(later.text.match(/upper gallery/g)).toHaveLength(1)
})

test('what a person says again in another session is theirs, and is found there', async () => {
  const memory = await openForTest({ embeddingModel: false })
  const ada = memory.for('ada')
  const said = 'I live in Braga now, in the old town near the cathedral, with my two children and our grey cat.'
  await ada.append('first', { role: 'user', content: said })
  await ada.context({ session: 'first', query: 'Where do I live?' })
  await ada.append('second', { role: 'user', content: said })
  expect((await ada.messages('second'))[0]?.recalled).toBeUndefined()
  await ada.forget({ session: 'first' })
  expect((await ada.recall('cathedral in Braga')).hits).toHaveLength(1)
})

/** Gives what a context without a session showed of the sentence, which the session `past` holds. */
async function shownToNone(ada: UserMemory): Promise<string> {
  await ada.append('past', { role: 'user', content: sentence })
  const { text } = await ada.context({ query: 'zeppelin museum gallery' })
  expect(text).toContain('upper gallery')
  return text
}

test('what was shown without a session is known in every session, and the original ranks first', async () => {
  const ada = shared.user()
  const text = await shownToNone(ada)
  for (const [session, content] of Object.entries({ one: text, two: sentence, three: once(text) })) {
    expect(marked(await heard(ada, content, session)).toLowerCase()).toMatch(/gallery/)
    expect((await ada.recall('zeppelin museum gallery')).hits.map((hit) => hit.session)).toEqual(['past'])
  }
  // A person's own words are theirs.
  await ada.append('four', { role: 'user', content: sentence })
  expect((await ada.messages('four'))[0]).not.toHaveProperty('recalled')
})

test('what was shown without a session is forgotten with it, and is nobody else’s', async () => {
  const ada = shared.user()
  await shownToNone(ada)
  expect(await heard(shared.user(), sentence)).not.toHaveProperty('recalled')
  expect(await ada.previewForget({ session: 'past' })).toMatchObject({ message: 1, context: 1 })
  await ada.forget({ session: 'past' })
  expect(await heard(ada, sentence)).not.toHaveProperty('recalled')
})

test('of what was shown without a session the last twenty are kept, apart from those of sessions', async () => {
  const { ada } = await shown()
  await ada.append('past', {
    role: 'user',
    content: 'the ferry leaves at nine from the northern pier on all days of the week, and at ten too',
  })
  const ferry = () => ada.context({ query: 'ferry northern pier', tiers: { details: { limit: 1 } } })
  expect((await ada.context({ query: 'zeppelin museum gallery', tiers: { details: { limit: 1 } } })).text).toContain('gallery')
  for (let context = 0; context < 25; context += 1) await ferry()
  expect(await ada.previewForget({ all: true })).toMatchObject({ context: 21 })
  expect(await heard(ada, sentence, 'elsewhere')).toHaveProperty('recalled')
})

test('what a recall showed is known when it comes back, and the original ranks first', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: sentence })
  for (const session of ['past', 'other', 'third']) {
    const { hits } = await ada.recall('zeppelin museum gallery')
    expect(hits[0]).toMatchObject({ kind: 'message', session: 'past', seq: 1 })
    expect(marked(await heard(ada, `I found this: ${hits[0]?.text}`, session)).toLowerCase()).toMatch(/gallery/)
  }
  expect(await heard(shared.user(), sentence)).not.toHaveProperty('recalled')
  // A person's own words are theirs, also right after they asked for them.
  await ada.recall('zeppelin museum gallery')
  await ada.append('four', { role: 'user', content: sentence })
  expect((await ada.messages('four'))[0]).not.toHaveProperty('recalled')
  await ada.forget({ session: 'past' })
  expect(await heard(ada, sentence, 'fifth')).not.toHaveProperty('recalled')
})

test('what a recall showed and was then erased is not noted', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: sentence })
  await ada.recall('zeppelin museum gallery')
  await ada.forget({ session: 'past' })
  expect(await heard(ada, sentence, 'now')).not.toHaveProperty('recalled')
  expect((await ada.recall('zeppelin')).hits).toHaveLength(1)
})

test('many recalls cost one note, which is there when the store is opened anew', async () => {
  const store = newStore()
  const first = await openForTest({ store })
  await first.for('ada').append('past', { role: 'user', content: sentence })
  for (let time = 0; time < 5; time += 1) await first.for('ada').recall('zeppelin museum gallery')
  await first.close()
  const second = await openForTest({ store })
  expect(await second.for('ada').previewForget({ all: true })).toMatchObject({ context: 1 })
  expect(await heard(second.for('ada'), sentence)).toHaveProperty('recalled')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../fixtures/text/any-character.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const shared = sharedMemory()

async function talker() {
  const ada = shared.user()
  await ada.append('talk', [
    { role: 'user', content: 'The ferry leaves at nine AND the kiosk opens at ten (or NOT at all).' },
    { role: 'user', content: 'My e-mail is ada@example.org and the path is src/index.ts:42.' },
    { role: 'user', content: 'Party 🎉 on Friday! C++ or C#? 50% off * for members "only".' },
  ])
  return ada
}

const awkward = [
  '"ferry"',
  '"ferry',
  "ferry's",
  "'ferry'",
  'ferry AND kiosk',
  'ferry OR',
  'NOT ferry',
  'NEAR(ferry kiosk)',
  'ferry*',
  '*ferry',
  '(ferry',
  'ferry)',
  '((((ferry',
  'ferry^2',
  '-ferry',
  '+ferry',
  'content:ferry',
  '{ferry}',
  '[ferry]',
  'ferry;--',
  "ferry'; DROP TABLE message; --",
  'ferry\\',
  '%ferry%',
  '_ferry_',
  'ferry\nkiosk',
  'ferry\0kiosk',
  '\ud800 ferry',
  'ferry 🦖',
  '<b>ferry</b>',
  'ferry?!.,;:…',
  'ｆｅｒｒｙ',
  'FERRY',
  '\u202Eferry',
  'ferry '.repeat(8_500),
]

test('a question is words, never syntax: whatever stands around a word, it is found', async () => {
  const ada = await talker()
  for (const query of awkward) {
    const { hits, degraded } = await ada.recall(query)
    expect(hits[0]?.seq, JSON.stringify(query.slice(0, 40))).toBe(1)
    expect(degraded).toEqual([])
  }
  expect((await ada.recall('🎉')).hits[0]?.seq).toBe(3)
  expect((await ada.recall('ada@example.org')).hits[0]?.seq).toBe(2)
  expect((await ada.recall('index.ts')).hits[0]?.seq).toBe(2)
})

test('no question is an error, nor degrades an answer, be it 50 KB of anything', async () => {
  const ada = await talker()
  const anything = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.string({ unit: 'binary-ascii', maxLength: 300 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 }).map((units) => String.fromCharCode(...units)),
    fc.array(fc.constantFrom(...awkward.slice(0, -1)), { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.string({ unit: 'grapheme', minLength: 10, maxLength: 50 }).map((piece) => piece.repeat(Math.ceil(50_000 / piece.length))),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (query) => {
      const { hits, degraded } = await ada.recall(query)
      expect(degraded).toEqual([])
      for (const { score } of hits) expect(Number.isFinite(score)).toBe(true)
      expect((await ada.context({ session: 'talk', query, maxTokens: 100 })).degraded).toEqual([])
    }),
    { numRuns: runs(100) },
  )
})

const said: Record<string, readonly (readonly [said: string, asked: string])[]> = {
  English: [
    ['My grandmother was baking walnut cakes for all the children.', 'Which cake did your grandmothers bake?'],
    ['We decided to raise the prices of the monthly subscription.', 'what was the decision about pricing subscriptions'],
    ['The mice have been chewing through the network cables again.', 'who chewed the cable'],
  ],
  German: [
    ['Wir haben gestern die alten Bücher in den feuchten Keller getragen.', 'In welchen Kellern liegen unsere Bücher?'],
    ['Meine Schwester heiratet im Sommer einen norwegischen Fischer.', 'die Hochzeit meiner Schwestern mit Fischern'],
    ['Der Zahnarzt hat mir drei Termine im Februar vorgeschlagen.', 'Welchen Termin schlug der Zahnarzt vor?'],
  ],
  Russian: [
    ['Вчера мы купили новую деревянную лодку на городском рынке.', 'сколько стоят лодки на рынках'],
    ['Моя бабушка каждое лето варила варенье из чёрной смородины.', 'рецепт варенья бабушки'],
    ['Поезд из Казани опоздал на целых четыре часа.', 'какие поезда опоздали'],
  ],
  Arabic: [
    ['اشترى أخي سيارة جديدة من المعرض القريب.', 'متى اشترى السيارة الجديدة'],
    ['سافرت المهندسة إلى القاهرة لحضور المؤتمر السنوي.', 'مؤتمر القاهرة'],
    ['تحب ابنتي الصغيرة شرب الحليب الدافئ قبل النوم.', 'هل تشرب البنت حليبا'],
  ],
  Chinese: [
    ['我们下周六打算去北京的长城爬山。', '什么时候去长城'],
    ['我的邻居养了三只非常调皮的黑猫。', '邻居的黑猫'],
    ['医生建议我每天早上喝一杯温水。', '医生的建议是什么'],
  ],
  Japanese: [
    ['来週の土曜日に富士山へ登る予定です。', '富士山にいつ登りますか'],
    ['妹は新しい自転車を駅の前で盗まれました。', '自転車が盗まれた'],
    ['昨日の会議で新製品の価格を決めました。', '新製品の価格'],
  ],
  mixed: [
    ['Treffen um neun im Café Central mit Наташа wegen 渡轮 tickets.', 'Наташа 渡轮 ticket'],
    ['Deploy failed: ошибка im Container „wörker-7“ nach dem update.', 'ошибки in Containern'],
    ['会議の後で Bob と beer を飲みました。', 'beer with Bob 会議'],
  ],
}

for (const [language, pairs] of Object.entries(said)) {
  test(`an inflected question finds what was said in ${language}`, async () => {
    const ada = shared.user()
    await ada.append(
      'talk',
      pairs.map(([content]) => ({ role: 'user' as const, content })),
    )
    for (const [place, [, asked]] of pairs.entries()) expect((await ada.recall(asked)).hits[0]?.seq, asked).toBe(place + 1)
  })
}

test('every language is found among all the others, said by one person', async () => {
  const ada = shared.user()
  for (const [language, pairs] of Object.entries(said))
    await ada.append(
      language,
      pairs.map(([content]) => ({ role: 'user' as const, content })),
    )
  for (const [language, pairs] of Object.entries(said)) {
    for (const [place, [, asked]] of pairs.entries()) {
      const [best] = (await ada.recall(asked)).hits
      expect([best?.session, best?.seq], asked).toEqual([language, place + 1])
    }
  }
})

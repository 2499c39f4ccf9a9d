import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentsEchoWords, echoedRanges, merged, saidRanges, shinglesIn, shinglesOf, shingleWords } from './echo.ts'

const key = 'k'
const shownText = 'Marlene said that the spare key hangs in the bait shop now, behind the "old" barometer — café Möwe knows, too.'
const none: ReadonlySet<number> = new Set()
const shown = { here: new Set(shinglesIn(shinglesOf(shownText, key))), elsewhere: none }

function echoed(text: string): string[] {
  return echoedRanges(text, key, shown).map(({ from, to }) => text.slice(from, to))
}

test.each([
  ['Chinese', '我们昨天决定把开业时间改到五月十六日星期六上午十点钟，备用钥匙挂在鱼饵店里的气压计后面。'],
  ['Japanese', '予備の鍵は釣具店の気圧計の後ろに掛けてあります。開店は五月十六日の土曜日に変わりました。'],
  ['Thai', 'กุญแจสำรองแขวนอยู่ในร้านขายเหยื่อหลังบารอมิเตอร์และร้านเปิดวันเสาร์ที่สิบหกพฤษภาคม'],
])('an echo in %s is found, also when every letter is escaped, twice', (_, text) => {
  const hashes = { here: new Set(shinglesIn(shinglesOf(text, key))), elsewhere: none }
  const escaped = text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  for (const form of [text, JSON.stringify(text), escaped, escaped.replaceAll('\\', '\\\\')]) {
    const covered = echoedRanges(form, key, hashes).reduce((sum, { from, to }) => sum + to - from, 0)
    expect(covered / form.length).toBeGreaterThan(0.9)
  }
  expect(echoedRanges(text.slice(0, 9), key, hashes)).toEqual([])
})

describe('an echo of what was shown', () => {
  test('is found whole', () => {
    expect(echoed(`I see: ${shownText} Right?`)).toEqual([shownText.replace(/\.$/, '')])
  })

  test('is found when cut off', () => {
    expect(echoed(shownText.slice(0, 60))).toEqual(['Marlene said that the spare key hangs in the bait shop now'])
  })

  test.each([1, 2])('is found when escaped as JSON %i times', (times) => {
    let text = shownText.replaceAll(', ', ',\n')
    for (let done = 0; done < times; done += 1) text = JSON.stringify({ text })
    expect(echoed(text).join('').length).toBeGreaterThan(shownText.length * 0.9)
  })

  test('is found with its letters escaped', () => {
    const escaped = shownText.replaceAll('é', '\\u00e9').replaceAll('ö', '\\u00f6').replaceAll('—', '\\u2014')
    expect(echoed(escaped).join('').length).toBeGreaterThan(shownText.length * 0.9)
  })

  test('is not seen in fresh words, nor in seven of the shown ones', () => {
    expect(echoed('The spare key is mine, and the barometer fell to 990 last night, behind the harbour wall.')).toEqual([])
    expect(
      echoed(
        shownText
          .split(' ')
          .slice(0, shingleWords - 1)
          .join(' '),
      ),
    ).toEqual([])
  })

  test('is another store’s business under another key', () => {
    expect(echoedRanges(shownText, 'other', shown)).toEqual([])
  })
})

describe('an echo of what another session was shown', () => {
  const elsewhere = { here: none, elsewhere: shown.here }
  const words = shownText.split(' ')
  const most = agentsEchoWords.elsewhere
  const found = (text: string): string[] => echoedRanges(text, key, elsewhere).map(({ from, to }) => text.slice(from, to))

  test('is found when it has sixteen words in a row', () => {
    expect(found(`So: ${words.slice(0, most).join(' ')}`)).toEqual([words.slice(0, most).join(' ').replace(/\W+$/, '')])
    expect(found(words.slice(0, most - 1).join(' '))).toEqual([])
  })

  test('is found where it goes on from what its own session was shown', () => {
    const both = { here: new Set(shinglesIn(shinglesOf(words.slice(0, 10).join(' '), key))), elsewhere: shown.here }
    const text = words.slice(0, 16).join(' ')
    expect(echoedRanges(text, key, both)).toEqual([{ from: 0, to: text.replace(/\W+$/, '').length }])
  })
})

test('what was said stands outside the echoes, without the stop of an echoed sentence, and has a letter or a number', () => {
  const said = (text: string, ...echoes: readonly string[]): readonly string[] => {
    const recalled = echoes.map((echo) => ({ from: text.indexOf(echo), to: text.indexOf(echo) + echo.length }))
    return saidRanges(text, recalled).map(({ from, to }) => text.slice(from, to))
  }
  expect(said(' …! ')).toEqual([' …! '])
  expect(said('all', 'all')).toEqual([])
  expect(said('one two three', 'two')).toEqual(['one', 'three'])
  expect(said('As you said: “two.” Right? “four”', 'two', 'four')).toEqual(['As you said: “', 'Right? “'])
})

test('merged ranges are sorted, apart, and cover the same places', () => {
  const range = fc.tuple(fc.nat(40), fc.nat(10)).map(([from, length]) => ({ from, to: from + length + 1 }))
  fc.assert(
    fc.property(fc.array(range), (ranges) => {
      const result = merged(ranges)
      const places = (list: typeof ranges): number[] =>
        [...new Set(list.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, step) => from + step)))].toSorted((a, b) => a - b)
      expect(places(result)).toEqual(places(ranges))
      for (const [place, next] of result.slice(1).entries())
        expect(next.from).toBeGreaterThan(result[place]?.to ?? Number.POSITIVE_INFINITY)
    }),
  )
})

import { describe, expect, test } from 'vitest'
import { Grounding } from './grounding.ts'
import { checkLinear } from '../testing/text-steps.ts'

test('a source without an end to its digits is read in linear time', () => {
  checkLinear((length) => {
    const grounding = new Grounding([{ number: 1, text: '1'.repeat(length), head: 'Ada', isPersons: true }])
    expect(grounding.cite('Ada has 4711 boats.', [1])).toBeUndefined()
  })
})

describe('a date', () => {
  // A Wednesday.
  const at = Date.UTC(2026, 4, 13, 18, 45)
  const texts = [
    'We moved last Monday, 14 of us.',
    'I gave it up two years ago.',
    'The feast is on 20 June.',
    'Back on Friday. See you next month.',
  ]
  const grounding = new Grounding(texts.map((text, place) => ({ number: place + 1, text, head: 'Ada', at, isPersons: true })))

  test.each([
    ['Ada moved on 11 May 2026.', [1]],
    ['Ada moved on May 11.', [1]],
    ['Ada moved on 2026-05-11.', [1]],
    ['Ada moved in May 2026.', [1]],
    ['Ada stopped in 2024.', [2]],
    ['The feast is on 20 June 2026.', [3]],
    ['The feast is on June 20th.', [3]],
    ['They meet in June 2026.', [4]],
    ['On 13 May 2026 Ada told of it.', [1]],
    ['Ada comes back on 15 May.', [4]],
    ['Am 11. Mai 2026 zog Ada um.', [1]],
  ])('that the words tell may be stated: %s', (sentence, cited) => {
    expect(grounding.cite(sentence, cited)).toEqual(cited)
  })

  test.each([
    'Ada moved on 12 May 2026.',
    'Ada moved on 4 May 2026.',
    'Ada moved in April 2026.',
    'Ada stopped in 2023.',
    'The feast is on 21 June 2026.',
    'The feast is on 20 June 2028.',
    'Ada has 2026 boats.',
    'Ada has 13 boats.',
    'Ada has 18 boats.',
    'It began at 18:45.',
  ])('that no words tell, and the digits of a head, are invented: %s', (sentence) => {
    expect(grounding.cite(sentence, [1, 2, 3, 4])).toBeUndefined()
  })

  test('is cited where it was told', () => {
    expect(grounding.cite('Ada stopped in 2024 and moved on 11 May.', [3])).toEqual([1, 2, 3])
  })

  test('of a label is one of its entry; its digits count as nothing else', () => {
    const label = { number: 1, text: 'Ada moved.', head: '2026-05-04', isPersons: true }
    const digest = new Grounding([label], 'week 2026-W19')
    expect(digest.cite('On 4 May 2026, in week 2026-W19, Ada moved.', [1])).toEqual([1])
    expect(digest.cite('Ada has 19 boats.', [1])).toBeUndefined()
    expect(digest.cite('Ada moved on 5 May 2026.', [1])).toBeUndefined()
    expect(new Grounding([{ ...label, head: 'Ticket 4711' }]).cite('The ticket 4711 is done.', [1])).toEqual([1])
  })
})

test('a text without an end to its dates is read in linear time', () => {
  checkLinear((length) => {
    const text = '1 May '.repeat(length / 6)
    const grounding = new Grounding([{ number: 1, text, head: 'Ada', at: 0, isPersons: true }])
    expect(grounding.cite('Ada came on 2 June 2026.', [1])).toBeUndefined()
  })
})

import { describe, expect, test } from 'vitest'
import { applyEdits } from './edits.ts'
import type { PageEdit } from './page-edit.ts'

const bike = '# Bike\n\n- red\n- fast\n\n## Parts\n\n- saddle: "Brooks"\n\n## Log\n'

const after = (content: string, ...edits: PageEdit[]): string | undefined => {
  const result = applyEdits(content, edits)
  return 'content' in result ? result.content : undefined
}

const reasons = (content: string, ...edits: PageEdit[]): string[] => {
  const result = applyEdits(content, edits)
  return 'refused' in result ? result.refused.map(({ place, reason }) => `${place}: ${reason}`) : []
}

test('no edits leave the page as it is', () => {
  expect(after(bike)).toBe(bike)
  expect(after('')).toBe('')
})

describe('appended text', () => {
  test('comes last, and begins an empty page', () => {
    expect(after('a\n', { tool: 'append', text: 'b\nc\n' })).toBe('a\nb\nc\n')
    expect(after('', { tool: 'append', text: 'a' })).toBe('a\n')
  })

  test('comes after the last filled line of its section', () => {
    expect(
      after(bike, { tool: 'append', text: '- bell', section: 'Parts' }, { tool: 'append', text: '\n- sold\n\n', section: 'log' }),
    ).toBe('# Bike\n\n- red\n- fast\n\n## Parts\n\n- saddle: "Brooks"\n- bell\n\n## Log\n- sold\n')
  })

  test('of two calls stands in their order', () => {
    expect(after('', { tool: 'append', text: 'a' }, { tool: 'append', text: 'b' })).toBe('a\nb\n')
  })

  test('does not become part of an underlined heading that follows', () => {
    expect(after('# A\nB\n===\n', { tool: 'append', text: 'new', section: 'A' })).toBe('# A\nnew\n\nB\n===\n')
  })

  test('without a word is refused', () => {
    expect(reasons('a', { tool: 'append', text: ' \n' })).toEqual(['0: it has no text'])
  })
})

describe('lines', () => {
  test('are replaced and deleted by the numbers of the page as it was shown', () => {
    expect(
      after(
        '1\n2\n3\n4\n5\n',
        { tool: 'delete_lines', from: 1, to: 2 },
        { tool: 'replace_lines', from: 4, to: 4, text: 'four\nand more' },
        { tool: 'delete_lines', from: 5, to: 5 },
      ),
    ).toBe('3\nfour\nand more\n')
  })

  test('can all be deleted', () => {
    expect(after('a\nb', { tool: 'delete_lines', from: 1, to: 2 })).toBe('')
  })

  const outside: [string, number, number][] = [
    ['null', Number.NaN, 2],
    ['null at the end', 2, Number.NaN],
    ['negative', -1, 2],
    ['zero', 0, 2],
    ['reversed', 3, 2],
    ['fractional', 1.5, 2],
    ['beyond the last', 2, 13],
    ['infinite', 1, Number.POSITIVE_INFINITY],
  ]
  test.each(outside)('a range that is %s gets an error that tells the valid one, and changes nothing', (_, from, to) => {
    const page = 'x\n'.repeat(12)
    for (const edit of [{ tool: 'delete_lines', from, to } as const, { tool: 'replace_lines', from, to, text: 'y' } as const]) {
      expect(reasons(page, edit)).toEqual([expect.stringContaining('lines 1 to 12')])
      expect(applyEdits(page, [{ tool: 'append', text: 'kept?' }, edit])).not.toHaveProperty('content')
    }
  })

  test('of an empty page cannot be named', () => {
    expect(reasons('', { tool: 'delete_lines', from: 1, to: 1 })).toEqual(['0: the page has no lines yet: append to it'])
  })

  test('are not wiped by an empty text', () => {
    expect(reasons('a\n', { tool: 'replace_lines', from: 1, to: 1, text: '' })).toEqual([
      '0: it has no text: delete_lines takes lines away',
    ])
  })

  test('that two calls touch are refused, naming the other', () => {
    expect(
      reasons(
        '1\n2\n3\n',
        { tool: 'replace_lines', from: 1, to: 2, text: 'a' },
        { tool: 'append', text: 'b' },
        { tool: 'delete_lines', from: 2, to: 3 },
      ),
    ).toEqual(['2: it overlaps call 1: make one call of both'])
  })
})

describe('a section', () => {
  test('gets a new body under its heading, and keeps the blank lines around it', () => {
    expect(after(bike, { tool: 'replace_section', section: '## Parts', text: '\n- none\n' })).toBe(
      '# Bike\n\n- red\n- fast\n\n## Parts\n\n- none\n\n## Log\n',
    )
  })

  test('can be emptied', () => {
    expect(after('# A\nx\n# B\n', { tool: 'replace_section', section: 'A', text: '' })).toBe('# A\n# B\n')
    expect(after('# A\n# B\n', { tool: 'replace_section', section: 'A', text: ' ' })).toBe('# A\n# B\n')
  })

  test('without a body gets one', () => {
    expect(
      after('# A\n\n# B', { tool: 'replace_section', section: 'B', text: 'b' }, { tool: 'replace_section', section: 'A', text: 'a' }),
    ).toBe('# A\na\n\n# B\nb')
  })

  test('that is unknown is refused, and the known ones are named', () => {
    expect(reasons(bike, { tool: 'replace_section', section: 'Wheels', text: 'x' })).toEqual([
      '0: there is no such section: there are "Bike", "Parts", "Log"',
    ])
    expect(reasons('plain', { tool: 'append', section: 'Wheels', text: 'x' })).toEqual(['0: the page has no sections'])
  })

  test('of which there are two is refused', () => {
    expect(reasons('# A\n# B\n# A\n', { tool: 'replace_section', section: 'A', text: 'x' })).toEqual([
      '0: 2 sections have this name, at lines 1, 3: name lines',
    ])
  })

  test('that is looked for by name is not one in a code fence', () => {
    expect(reasons('```\n# A\n```\n', { tool: 'append', section: 'A', text: 'x' })).toEqual(['0: the page has no sections'])
  })

  test('cannot be added to while its heading is taken away or its body replaced', () => {
    const append = { tool: 'append', section: 'Parts', text: '- bell' } as const
    expect(reasons(bike, append, { tool: 'delete_lines', from: 6, to: 6 })).toEqual(['1: it overlaps call 1: make one call of both'])
    expect(reasons(bike, { tool: 'replace_section', section: 'Parts', text: 'x' }, append)).toEqual([
      '1: it overlaps call 1: make one call of both',
    ])
  })
})

describe('exact text', () => {
  test('is replaced where it stands once, also in two places of one line', () => {
    expect(
      after(
        'a red bike, $1,000\n',
        { tool: 'replace_text', old: '$1,000', text: '$1,200' },
        { tool: 'replace_text', old: 'red', text: 'blue' },
      ),
    ).toBe('a blue bike, $1,200\n')
  })

  test('is looked for in its section alone, below the heading', () => {
    const page = '# A\nx A\n# B\nx\n'
    expect(after(page, { tool: 'replace_text', old: 'x', text: 'y', section: 'A' })).toBe('# A\ny A\n# B\nx\n')
    expect(after(page, { tool: 'replace_text', old: 'A', text: 'y', section: 'A' })).toBe('# A\nx y\n# B\nx\n')
  })

  test.each([
    ['not at all', 'green', 0],
    ['twice', 'x', 2],
    ['twice, overlapping itself', 'oo', 2],
  ])('that stands %s is refused with how often', (_, old, times) => {
    expect(reasons('x ooo x', { tool: 'replace_text', old, text: 'y' })).toEqual([
      `0: "old" stands ${times} times in the page, and must stand there once`,
    ])
  })

  test('that is empty or half a character is refused', () => {
    expect(reasons('🦊', { tool: 'replace_text', old: '', text: 'y' })).toEqual(['0: "old" is empty'])
    expect(reasons('🦊', { tool: 'replace_text', old: '🦊'.slice(0, 1), text: 'y' })).toEqual(['0: "old" cuts a character in two'])
  })

  test('may run over lines, however these end in the page', () => {
    expect(after('a\r\nb\r\nc', { tool: 'replace_text', old: 'a\nb', text: 'x\ny\nz' })).toBe('x\r\ny\r\nz\r\nc')
  })
})

describe('the ends of lines', () => {
  test('of a page from Windows are kept, and added lines get them', () => {
    expect(after('a\r\nb\r\n', { tool: 'append', text: 'c\nd' }, { tool: 'replace_lines', from: 1, to: 1, text: 'A\r\nB' })).toBe(
      'A\r\nB\r\nb\r\nc\r\nd\r\n',
    )
  })

  test('a last line without one stays so', () => {
    expect(after('a\nb', { tool: 'append', text: 'c' })).toBe('a\nb\nc')
    expect(after('a\nb', { tool: 'delete_lines', from: 2, to: 2 })).toBe('a')
    expect(after('a\nb', { tool: 'replace_lines', from: 2, to: 2, text: 'c\n' })).toBe('a\nc')
    expect(after('a\nb\r', { tool: 'delete_lines', from: 1, to: 1 })).toBe('b\r')
  })
})

import { expect, test } from 'vitest'
import { descriptionOf, withBullet } from '../documents/bullets.ts'
import { documentChars } from '../documents/document.ts'
import { matchDocument } from '../documents/match.ts'
import { assignSubjects } from '../documents/subjects.ts'
import { markOf } from '../messages/fence.ts'
import { extractiveWriter } from '../extractive/extractive-writer.ts'
import type { SourceMessage, SubjectFact } from '../models/writer.ts'
import { checkDocuments } from './check-documents.ts'
import { editorPrompt, editorRetry } from './editor-prompt.ts'
import { parseEdits } from './parse-edits.ts'

const maxCharacters = documentChars.usual
const writer = extractiveWriter({ terms: () => [] })

const mark = markOf('key', '0badcafe')
const said = (seq: number, text: string): SourceMessage => ({
  seq,
  role: 'user',
  origin: 'person',
  name: 'Ada',
  at: Date.UTC(2026, 4, 8),
  text,
})
const talk = [
  said(1, 'Our bakery now sells rye bread for $1,000 a tonne.'),
  said(2, 'Our bakery opens at 7.'),
  said(3, 'We decided to move to Paris, France.'),
]
const bakery = { id: 5, name: 'Bakery', aliases: [], description: "Ada's bakery.", content: '# Bakery\n- opens at 6\n', revision: 3 }
const find = (subject: string): number | undefined => matchDocument(subject, [bakery])?.id
const dated = (facts: readonly SubjectFact[]) => facts.map(({ fact }) => ({ fact, day: '2026-05-08' }))

test('a span becomes edits of one document, the second try on the reason for which the first was refused', () => {
  const answer = [
    { from: 1, quote: talk[0]?.text, subject: 'the bakery', fact: 'The bakery sells rye bread for $1,000 a tonne.' },
    { from: 2, quote: talk[1]?.text, subject: 'Bakery', fact: 'The bakery opens at 7.' },
  ]
  const checked = checkDocuments(answer, talk)
  const [assigned, ...others] = assignSubjects('facts' in checked ? checked.facts : [], find)
  expect([assigned?.document, others]).toEqual([bakery.id, []])

  const facts = dated(assigned?.facts ?? [])
  const asked = editorPrompt(bakery, facts, { mark, maxCharacters })
  const first = parseEdits(
    {
      calls: [
        { tool: 'append', text: '- rye bread: $1,000 a tonne' },
        { tool: 'replace_lines', from: 3, to: null, text: '- opens at 7' },
      ],
    },
    bakery,
    facts,
    maxCharacters,
  )
  const again = 'content' in first ? expect.unreachable() : editorRetry(asked, first, { mark, maxCharacters })
  expect(again.prompt.startsWith(asked.prompt)).toBe(true)
  expect(again.prompt).toContain('[call 2] it must name lines 1 to 2')

  const second = parseEdits(
    {
      description: 'The bakery and its prices.',
      calls: [
        { tool: 'append', text: '- rye bread: $1,000 a tonne' },
        { tool: 'replace_lines', from: 2, to: 2, text: '- opens at 7' },
      ],
    },
    bakery,
    facts,
    maxCharacters,
  )
  expect(second).toEqual({ content: '# Bakery\n- opens at 7\n- rye bread: $1,000 a tonne\n', description: 'The bakery and its prices.' })
})

test('without a model the same span becomes dated bullets, each in its document, once', () => {
  const contents = new Map([[bakery.name, bakery.content]])
  const said = writer.subjects(talk).map((fact) => ({ ...fact, subject: fact.thing ?? fact.subject }))
  for (const round of [1, 2]) {
    for (const { document, name, facts } of assignSubjects(said, find)) {
      const title = document === undefined ? name || 'Ada' : bakery.name
      const before = contents.get(title) ?? ''
      const content = dated(facts).reduce((stands, fact) => withBullet(stands, fact, maxCharacters) ?? '', before)
      expect(content.split('\n').length - before.split('\n').length).toBe(round === 1 ? facts.length : 0)
      contents.set(title, content)
    }
  }
  expect(Object.fromEntries(contents)).toEqual({
    Bakery:
      '# Bakery\n- opens at 6\n- 2026-05-08: Our bakery now sells rye bread for $1,000 a tonne.\n- 2026-05-08: Our bakery opens at 7.\n',
    Ada: '- 2026-05-08: We decided to move to Paris, France.\n',
  })
  expect(descriptionOf('Ada', contents.get('Ada') ?? '')).toBe('Ada: We decided to move to Paris, France')
})

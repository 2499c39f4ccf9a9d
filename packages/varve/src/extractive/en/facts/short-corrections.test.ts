import { expect, test } from 'vitest'
import type { SourceMessage } from '../../../models/writer.ts'
import { statedFacts } from '../stated-facts.ts'

function talkOf(said: readonly string[]): SourceMessage[] {
  return said.map((text, at): SourceMessage =>
    text.startsWith('A: ')
      ? { seq: at + 1, at, role: 'assistant', origin: 'assistant', text: text.slice(3) }
      : { seq: at + 1, at, role: 'user', origin: 'person', text },
  )
}

test('what is put right cites the message that said it wrong', () => {
  const facts = statedFacts(talkOf(['My brother Bo lives in Bonn.', 'A: Noted.', 'sorry, Ulm not Bonn']))
  expect(facts.at(-1)).toMatchObject({ subject: 'Bo', object: 'Ulm', instead: 'Bonn', seq: 3, quote: 'sorry, Ulm not Bonn', also: [1] })
})

test('nobody puts right what another said', () => {
  const said = talkOf(['I live in Oslo.', 'no, Bergen'])
  expect(statedFacts(said.map((one) => ({ ...one, name: 'Mira' })))).toHaveLength(2)
  expect(statedFacts(said.map((one, at) => ({ ...one, name: at === 0 ? 'Mira' : 'Bo' })))).toHaveLength(1)
})

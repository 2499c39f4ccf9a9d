import { expect, test } from 'vitest'
import { isAboutBoth } from './exchanges.ts'

test('tells questions about both sides from questions about one', () => {
  for (const question of [
    'What did we decide about the ferry?',
    'How did you recommend that I reach my sister?',
    'What did you say about my boat?',
  ])
    expect([question, isAboutBoth(question)]).toEqual([question, true])
  for (const question of [
    'Can you list my boats?',
    'Could you please tell me when my ferry leaves?',
    'What did I say about the ferry?',
    'Which ferry did you name?',
    'When does the ferry leave?',
  ])
    expect([question, isAboutBoth(question)]).toEqual([question, false])
})

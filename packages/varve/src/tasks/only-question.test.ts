import { expect, test } from 'vitest'
import { isOnlyQuestion } from './only-question.ts'

test('a line that only asks is told from one that states something', () => {
  for (const line of [
    'Which port does the payment service use?',
    'Ada asked: Which port does the payment service use?',
    'The user asked: Which port? Is it 8080?',
    'Ada asked which port the payment service uses.',
    'Bob wants to know whether the ferry runs on Sundays.',
    'どのポートですか？',
  ])
    expect(isOnlyQuestion(line), line).toBe(true)
  for (const line of [
    'The payment service uses port 8443.',
    'Which port does it use? It uses port 8443.',
    'Ada: We moved to 8443. Is that known?',
    'Bob asked for 36 head torches.',
    'Ada asked the harbour office to mend the pier.',
    'The open question is the licence.',
    'Ada decided what the price is.',
  ])
    expect(isOnlyQuestion(line), line).toBe(false)
})

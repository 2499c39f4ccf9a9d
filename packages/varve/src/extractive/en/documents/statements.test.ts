import { describe, expect, test } from 'vitest'
import { withBullet } from '../../../documents/bullets.ts'
import { different, pointless, repeated, withNumbers } from './statements.sentences.ts'
import { subjectFacts } from './subject-facts.ts'

/** Returns the bullets of all documents that messages make, in the order of the talk. */
function bulletsOf(said: readonly string[]): string[] {
  const documents = new Map<string, string>()
  const bullets: string[] = []
  for (const [at, text] of said.entries()) {
    for (const { subject, fact } of subjectFacts([{ seq: at + 1, role: 'user', origin: 'person', name: 'Ada', at: 0, text }])) {
      const before = documents.get(subject) ?? ''
      const content = withBullet(before, { fact, day: '2026-05-08' }, 16_000) ?? ''
      if (content !== before) bullets.push(fact)
      documents.set(subject, content)
    }
  }
  return bullets
}

describe.each(Object.entries({ withNumbers, repeated, different, pointless }))('documents without a model: %s', (_, talks) => {
  test.each(talks.map(({ said, bullets }) => [said.join(' | '), said, bullets] as const))('%s', (_talk, said, bullets) => {
    expect(bulletsOf(said)).toEqual(bullets)
  })
})

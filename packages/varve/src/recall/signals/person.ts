import { roles } from '../../messages/message.ts'
import type { OwnSignalInput, Part } from '../part.ts'

/** The value of a user's message to an assistant for a question that names neither of them: most answers are the user's own words. */
const unnamed = 0.5

const [user, assistant] = [roles.indexOf('user'), roles.indexOf('assistant')]

/**
 * Gives 1 to the user's messages when the question is about the asker ("what degree do I have?"). Gives 1 to the
 * assistant's when it is about an answer ("what did you recommend?"), and half to the user's when it names neither.
 * Without it long answers crowd out the few words that they answer. Silent when the question is about both, and where
 * there is no user and assistant.
 */
export function person({ segment, question, candidates }: OwnSignalInput): Part | undefined {
  const { about } = question
  if (about === 'both' || !hasBoth(segment.roles, segment.count)) return undefined
  const wanted = about === 'assistant' ? assistant : user
  const { roles: said, talks, sessionPlaces } = segment
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) {
    const doc = candidates[at] ?? 0
    if (said[doc] !== wanted) continue
    values[at] = about === 'neither' ? unnamed * (talks[sessionPlaces[doc] ?? 0] ?? 0) : 1
  }
  return { name: 'person', values, kind: 'is', text: () => reasons[about] }
}

const reasons = {
  user: 'said by the user, who asks',
  assistant: 'said by the assistant, who is asked',
  neither: 'said by the user',
} as const

function hasBoth(column: Uint8Array, count: number): boolean {
  const said = column.subarray(0, count)
  return said.includes(user) && said.includes(assistant)
}

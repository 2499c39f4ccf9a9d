import { roles } from '../../messages/message.ts'
import type { OwnSignalInput, Part } from '../part.ts'

/**
 * Gives 1 to the user's messages when the question is about the asker ("what degree do I have?"). Gives 1 to the
 * assistant's when it is about an answer ("what did you recommend?"). Without it long answers crowd out the few words
 * that they answer. Silent when the question says neither or both, and where there is no user and assistant.
 */
export function person({ segment, question, candidates }: OwnSignalInput): Part | undefined {
  const { about } = question
  if (about === undefined || !hasBoth(segment.roles, segment.count)) return undefined
  const wanted = roles.indexOf(about)
  const { roles: said } = segment
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = Number(said[candidates[at] ?? 0] === wanted)
  return {
    name: 'person',
    values,
    kind: 'is',
    text: () => (about === 'user' ? 'said by the user, who asks' : 'said by the assistant, who is asked'),
  }
}

function hasBoth(column: Uint8Array, count: number): boolean {
  const said = column.subarray(0, count)
  return said.includes(roles.indexOf('user')) && said.includes(roles.indexOf('assistant'))
}

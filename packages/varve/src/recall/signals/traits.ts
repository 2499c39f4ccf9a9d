import { readTraits } from '../../index/traits.ts'
import type { OwnSignalInput, Part } from '../part.ts'

/** By the byte of a message's traits. */
const whenOf = Float32Array.from({ length: 256 }, (_, byte) => Number(readTraits(byte).when))

/** Gives 1 to messages that tell a time, when the question asks for one. English. Silent when it does not ask. */
export function when({ segment, question, candidates }: OwnSignalInput): Part | undefined {
  if (!question.asksWhen) return undefined
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = whenOf[segment.traits[candidates[at] ?? 0] ?? 0] ?? 0
  return { name: 'when', values, kind: 'is', text: () => 'tells when' }
}

/** A message whose traits were read before first persons were counts as one that has them: most have. */
const firstOf = Float32Array.from({ length: 256 }, (_, byte) => Number(readTraits(byte).first ?? true))

/** Gives 1 to messages whose speaker says "I" or "we": they tell of the speaker. Four languages. */
export function ofItsSpeaker({ segment, candidates }: OwnSignalInput): Part {
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = firstOf[segment.traits[candidates[at] ?? 0] ?? 0] ?? 0
  return { name: 'first', values, kind: 'is', text: () => 'tells of its speaker' }
}

const askingOf = Float32Array.from({ length: 256 }, (_, byte) => readTraits(byte).question)

/**
 * Gives the part of the message that asks, 0 to 1. It counts against the message, since a question seldom answers.
 * Works in any script that has a question mark.
 */
export function question({ segment, candidates }: OwnSignalInput): Part {
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = askingOf[segment.traits[candidates[at] ?? 0] ?? 0] ?? 0
  return { name: 'question', values, kind: 'is', text: () => 'asks rather than tells' }
}

import type { OwnSignalInput, Part } from '../part.ts'

/** The value of the first of two people: "what does Ada think of Ben's boat" is Ada's to say in four of five. */
const firstOfTwo = 0.5

/**
 * Gives 1 to the messages of the person whom the question names. On LoCoMo, 95 % of the answers to questions about one
 * person are that person's. Of two people, the first gets half. Silent when the question names nobody, more than two, or
 * two in one breath ("Ada and Ben"), and when there are fewer than two speakers.
 */
export function speaker({ segment, question, candidates }: OwnSignalInput): Part | undefined {
  const { asked } = question
  if (asked === undefined || segment.liveSpeakers < 2) return undefined
  const value = question.speakers.size === 1 ? 1 : firstOfTwo
  const { speakers } = segment
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) if (speakers[candidates[at] ?? 0] === asked) values[at] = value
  return { name: 'speaker', values, kind: 'is', text: () => `said by ${segment.speakerNames[asked]?.name ?? ''}, whom you asked about` }
}

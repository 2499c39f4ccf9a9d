import type { OwnSignalInput, Part } from '../part.ts'

/**
 * Gives 1 to the messages of the person whom the question names. On LoCoMo, 95 % of the answers to questions about one
 * person are that person's. Silent when the question names nobody or several, and when there are fewer than two
 * speakers.
 */
export function speaker({ segment, question, candidates }: OwnSignalInput): Part | undefined {
  const [asked, ...others] = question.speakers
  if (asked === undefined || others.length > 0 || segment.liveSpeakers < 2) return undefined
  const { speakers } = segment
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = Number(speakers[candidates[at] ?? 0] === asked)
  return { name: 'speaker', values, kind: 'is', text: () => `said by ${segment.speakerNames[asked]?.name ?? ''}, whom you asked about` }
}

import type { OwnGround, Part } from '../part.ts'

/**
 * 1 for the messages of the person whom the question names: on LoCoMo 95 % of what answers a question about one person is
 * theirs. Silent when nobody is named, several are, or there is only one to name.
 */
export function speaker({ segment, question, candidates }: OwnGround): Part | undefined {
  const [asked, ...others] = question.speakers
  if (asked === undefined || others.length > 0 || segment.liveSpeakers < 2) return undefined
  const { speakers } = segment
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = Number(speakers[candidates[at] ?? 0] === asked)
  return { name: 'speaker', values, kind: 'is', text: () => `said by ${segment.speakerNames[asked]?.name ?? ''}, whom you asked about` }
}

import { closeCosine, type Ground, type Part } from '../part.ts'

/** The best cosine of any message of the session: where one message is about it, others are. 0 to 1. Silent without vectors. */
export function session({ segment, candidates, cosines }: Ground): Part | undefined {
  if (cosines === undefined) return undefined
  const { sessionPlaces } = segment
  const best = new Float32Array(segment.sessionCount)
  for (let doc = 0; doc < segment.count; doc += 1) {
    if (segment.dead[doc] === 1) continue
    const place = sessionPlaces[doc] ?? 0
    const cosine = cosines[doc] ?? 0
    if (cosine > (best[place] ?? 0)) best[place] = cosine
  }
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = best[sessionPlaces[candidates[at] ?? 0] ?? 0] ?? 0
  return { name: 'session', values, kind: 'about', text: (doc, value) => `in the session of ${dayOf(segment.saidAt[doc] ?? 0)}${value < closeCosine ? '' : ', which is about it'}` }
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `8 May 2023`, in UTC. */
export function dayOf(at: number): string {
  return days.format(at)
}

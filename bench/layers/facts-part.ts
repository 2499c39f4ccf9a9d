import { figure } from '../shared/table.ts'
import { atMost, type LayerPart, shareOf } from './part.ts'

const mostMalformed = 0.05
const mostWords = 12

/** Objects that cannot be a thing: they begin or end in the middle of a sentence, or hold another one. */
const malformed: readonly RegExp[] = [
  /^(?:that|which|who|it|they|them|this|these|those|to|and|but|or|so|because|if|when|than|of|for|with|about|is|was|been|not)\b/iu,
  /\b(?:the|an?|my|your|our|their|his|her|of|to|for|with|at|in|on|from|and|or|but|because|so|that|is|was|are|am|i|you|we)$/iu,
  /\b(?:i|i'm|i've|you|we|we're)\b/iu,
  /[,;:]$|[?!]|\.{2}|…/u,
]

export const factsPart: LayerPart = {
  layer: 'facts',
  figures: async ({ talks }) => {
    const objects: string[] = []
    for (const { user } of talks) for await (const { object } of user.facts.list()) objects.push(object)
    const messages = talks.reduce((sum, { texts }) => sum + texts.length, 0)
    const isMalformed = (object: string): boolean =>
      object.split(/\s+/u).length > mostWords || malformed.some((rule) => rule.test(object.replaceAll('’', "'")))
    return [
      { what: 'facts that hold, of 100 messages', value: figure((100 * objects.length) / messages) },
      atMost('objects malformed by plain rules', shareOf(objects, isMalformed), mostMalformed),
    ]
  },
}

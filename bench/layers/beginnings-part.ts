import { gistSentences } from './lines.ts'
import { atMost, type LayerPart, shareOf } from './part.ts'

const mostPronounFirst = 0.01

/** A sentence that begins with one of these words, at its start or behind its speaker's name, points to the one before. */
const pronounFirst = /^(?:[^:"“]{1,40}: ?["“]?)?(?:it|he|she|they|them|this|that|these|those|its|his|her|their|him)(?:'s|’s)?\b/iu

export const beginningsPart: LayerPart = {
  layer: 'gists',
  figures: async ({ talks }) => {
    const sentences = (await Promise.all(talks.map(gistSentences))).flat()
    return [
      { what: 'sentences', value: String(sentences.length) },
      atMost(
        'sentences that begin with a pronoun',
        shareOf(sentences, (text) => pronounFirst.test(text)),
        mostPronounFirst,
      ),
    ]
  },
}

import { askedToForget } from '../models/writer.ts'
import { factsPart } from '../tasks/parts/facts-part.ts'
import { speakersOf } from '../tasks/parts/read-span.ts'
import { checkFacts } from '../tasks/check-facts.ts'
import { factsTask } from '../tasks/facts-task.ts'
import { layerBases } from '../storage/layers.ts'
import type { ReadLayer } from './layer.ts'

/** Facts: each statement of a person by itself. */
export const facts: ReadLayer = {
  ...layerBases.facts,
  name: 'facts',
  reading: {
    task: factsTask,
    personsOnly: true,
    seesAttributes: true,
    seesSecrets: false,
    async check(answer, span, writer) {
      const { stored } = span
      const checked = checkFacts(answer, span.messages, {
        speakers: speakersOf(span.messages, stored),
        language: stored.language,
        attributes: span.attributes ?? [],
      })
      if ('problem' in checked) return checked
      const asked = writer.facts(span.messages).filter(({ predicate }) => predicate === askedToForget)
      return factsPart(span, [...checked.facts, ...asked], checked.refused, stored)
    },
    async extract(writer, span) {
      return factsPart(span, writer.facts(span.messages), 0, span.stored)
    },
  },
}

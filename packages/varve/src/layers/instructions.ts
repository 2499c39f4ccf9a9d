import { instructionsPart } from '../tasks/parts/instructions-part.ts'
import { checkStanding } from '../tasks/check-standing.ts'
import { standingTask } from '../tasks/standing-task.ts'
import { layerBases } from '../storage/layers.ts'
import type { ReadLayer } from './layer.ts'

/** Standing instructions: what persons want done from now on, in their words. */
export const instructions: ReadLayer = {
  ...layerBases.instructions,
  name: 'instructions',
  reading: {
    task: standingTask,
    personsOnly: true,
    seesSecrets: false,
    async check(answer, span) {
      const checked = checkStanding(answer, span.messages)
      return 'problem' in checked ? checked : instructionsPart(span, checked.asked, checked.refused, span.stored)
    },
    async extract(writer, span) {
      return instructionsPart(span, writer.instructions(span.messages), 0, span.stored)
    },
  },
}

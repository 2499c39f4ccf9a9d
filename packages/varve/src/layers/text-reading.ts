import { newPart } from '../tasks/parts/new-part.ts'
import { checkTextAnswer } from '../tasks/check-text.ts'
import { isOnlyQuestion } from '../tasks/only-question.ts'
import { steersMembers } from '../tasks/steers-members.ts'
import type { TextTask } from '../tasks/text-tasks.ts'
import type { ExtractiveWriter, Sentence, SourceMessage } from '../models/writer.ts'
import { type DistilledLayer, layerBases } from '../storage/layers.ts'
import type { SpanReading } from './layer.ts'

/** Makes the reading of a layer whose parts are sentences. */
export function textReading(
  layer: DistilledLayer,
  task: TextTask,
  write: (writer: ExtractiveWriter, messages: readonly SourceMessage[]) => Sentence[],
): SpanReading {
  const { personsOnly } = task
  return {
    task,
    personsOnly,
    seesSecrets: !layerBases[layer].isShared,
    async check(answer, { chunk, messages, written }) {
      const checked = checkTextAnswer(answer, messages, task)
      return 'problem' in checked ? checked : newPart(chunk, layer, checked.sentences, written)
    },
    async extract(writer, { chunk, messages, written }) {
      if (!personsOnly) return newPart(chunk, layer, write(writer, messages), written)
      const sentences = write(writer, messages.filter(isShareable)).filter(({ text }) => !steersMembers(text) && !isOnlyQuestion(text))
      return newPart(chunk, layer, sentences, written)
    },
  }
}

function isShareable({ origin, isShared }: SourceMessage): boolean {
  return origin === 'person' || isShared === true
}

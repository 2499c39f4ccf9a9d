import type { SourceMessage } from '../../models/writer.ts'
import { checkItems } from './check-items.ts'
import type { Source } from './grounding.ts'
import { layerTasks, type TextLayer } from './layers.ts'
import type { Parsed } from './problem.ts'
import { distillable, minuteOf } from './span-prompt.ts'

/**
 * What of an answer to `spanPrompt` may be kept, layer by layer: a bad part spoils no good one. Sentences cite messages by
 * seq. Of what the model wrote, nothing but checked sentences leaves here: problems are in our own words.
 */
export function parseSpan(
  object: Readonly<Record<string, unknown>>,
  layers: readonly TextLayer[],
  messages: readonly SourceMessage[],
): ReadonlyMap<TextLayer, Parsed> {
  const sources = distillable(messages).map(sourceOf)
  return new Map(layers.map((layer) => [layer, checkItems(object[layerTasks[layer].key], sources, layerTasks[layer])]))
}

function sourceOf({ seq, text, name, at, origin }: SourceMessage): Source {
  return { number: seq, text, head: `${minuteOf(at)} ${name ?? ''}`, isPersons: origin === 'person' }
}

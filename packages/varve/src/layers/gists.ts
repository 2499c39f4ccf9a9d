import { gistTask } from '../tasks/text-tasks.ts'
import { gistBounds } from '../models/writer.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { layerBases } from '../storage/layers.ts'
import type { ComposedLayer, ReadLayer } from './layer.ts'
import { textReading } from './text-reading.ts'

/** Gists: one paragraph on each session. */
export const gists: ReadLayer & ComposedLayer = {
  ...layerBases.gists,
  name: 'gists',
  reading: textReading('gists', gistTask, (writer, messages) => writer.gist(messages)),
  composing: { kind: itemKinds.gist, isByDay: false, task: gistTask, bounds: gistBounds },
}

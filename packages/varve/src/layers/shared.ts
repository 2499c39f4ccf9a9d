import { sharedBulletsTask } from '../tasks/text-tasks.ts'
import { bulletBounds } from '../models/writer.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { layerBases } from '../storage/layers.ts'
import type { ComposedLayer, ReadLayer } from './layer.ts'
import { textReading } from './text-reading.ts'

/** A project's bank: an entry for each shared conversation of a day, from persons' words alone. */
export const shared: ReadLayer & ComposedLayer = {
  ...layerBases.shared,
  name: 'shared',
  reading: textReading('shared', sharedBulletsTask, (writer, messages) => writer.bullets(messages)),
  composing: { kind: itemKinds.bank, isByDay: true, task: sharedBulletsTask, bounds: bulletBounds },
}

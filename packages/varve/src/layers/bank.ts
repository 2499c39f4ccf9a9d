import { bulletsTask } from '../tasks/text-tasks.ts'
import { bulletBounds } from '../models/writer.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { layerBases } from '../storage/layers.ts'
import type { ComposedLayer, ReadLayer } from './layer.ts'
import { textReading } from './text-reading.ts'

/** An owner's bank: an entry for each conversation of a day. The entries above are digests of these (distil/digester.ts). */
export const bank: ReadLayer & ComposedLayer = {
  ...layerBases.bank,
  name: 'bank',
  reading: textReading('bank', bulletsTask, (writer, messages) => writer.bullets(messages)),
  composing: { kind: itemKinds.bank, isByDay: true, task: bulletsTask, bounds: bulletBounds },
}

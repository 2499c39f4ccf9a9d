import { layerBases } from '../storage/layers.ts'
import type { LayerRecord } from './layer.ts'

/**
 * The page that follows a running session. It becomes due by the amount of talk (notes/due.ts), and is edited by calls
 * (distil/notes-updater.ts).
 */
export const notes: LayerRecord = { ...layerBases.notes, name: 'notes' }

import { layerBases } from '../storage/layers.ts'
import type { LayerRecord } from './layer.ts'

/**
 * The page that follows a running session. It is due by how much was said (notes/due.ts), and edited by calls
 * (distil/notes-updater.ts).
 */
export const notes: LayerRecord = { ...layerBases.notes, name: 'notes' }

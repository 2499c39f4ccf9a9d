import { figure } from '../shared/table.ts'
import type { LayerPart } from './part.ts'

const mostMs = 2

export const costPart: LayerPart = {
  layer: 'cost',
  figures: ({ talks }) => {
    const messages = talks.reduce((sum, { texts }) => sum + texts.length, 0)
    const perMessage = talks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / messages
    return Promise.resolve([
      { what: 'CPU ms of a message, all layers', value: figure(perMessage), target: `≤ ${mostMs}`, met: perMessage <= mostMs },
    ])
  },
}

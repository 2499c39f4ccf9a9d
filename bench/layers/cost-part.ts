import { figure } from '../shared/table.ts'
import type { LayerFigure, LayerPart } from './part.ts'

const mostMs = 2

export const costPart: LayerPart = {
  layer: 'cost',
  figures: ({ talks }) => {
    // The first of several talks also loads and compiles what all of them need.
    const [first, ...others] = talks
    const warm = others.length > 0 ? others : talks
    const perMessage = costOf(warm)
    const figures: LayerFigure[] = [
      { what: 'CPU ms of a message, all layers', value: figure(perMessage), target: `≤ ${mostMs}`, met: perMessage <= mostMs },
    ]
    if (first !== undefined && others.length > 0)
      figures.push({ what: 'the same in the first talk of a process', value: figure(costOf([first])) })
    return Promise.resolve(figures)
  },
}

function costOf(talks: readonly { readonly cpuMs: number; readonly texts: readonly string[] }[]): number {
  const messages = talks.reduce((sum, { texts }) => sum + texts.length, 0)
  return talks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / messages
}

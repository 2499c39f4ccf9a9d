import { figure } from '../shared/table.ts'
import { sessionCost } from './fusing.ts'
import type { LayerFigure, LayerPart } from './part.ts'

const lengths = [200, 1_000] as const
const mostTokens = 60
const mostCalls = 1.3

/** What fusing a session's gist costs a model, by the session's length. */
export const fusingPart: LayerPart = {
  layer: 'fusing',
  figures: async () => {
    const figures: LayerFigure[] = []
    for (const settles of [false, true]) {
      for (const length of lengths) {
        const { fuseTokens, callsPerTwenty } = await sessionCost(length, settles)
        figures.push({
          what: `input tokens a message at ${length}${settles ? ', with pauses' : ''}`,
          value: figure(fuseTokens),
          target: `≤ ${mostTokens}`,
          met: fuseTokens <= mostTokens,
        })
        if (!settles)
          figures.push({
            what: `calls for 20 live messages at ${length}`,
            value: figure(callsPerTwenty),
            target: `≤ ${mostCalls}`,
            met: callsPerTwenty <= mostCalls,
          })
      }
    }
    return figures
  },
}

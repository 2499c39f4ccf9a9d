import { mean } from '../shared/statistics.ts'
import { atLeast, type LayerFigure, type LayerPart, percent } from './part.ts'

const day = 86_400_000
/** Days after the last talk on which the bank is rendered: entries grow old, and a year ends. */
const daysAfter = [0, 1, 8, 40, 100, 200, 300, 400, 800] as const
const budgets = [500, 1_000, 2_000] as const
const leastUsed = 0.85

export const bankPart: LayerPart = {
  layer: 'bank',
  figures: async ({ talks }) => {
    const figures: LayerFigure[] = []
    for (const budget of budgets) {
      const used: number[] = []
      for (const { user, clock } of talks) {
        const end = clock.now()
        for (const days of daysAfter) {
          clock.set(end + days * day)
          const { tokens, omitted, entries } = await user.bank.render(budget)
          // Where everything stands in full there is nothing more to say.
          if (omitted > 0 || entries.some(({ granularity }) => granularity !== 'conversation')) used.push(tokens / budget)
        }
        clock.set(end)
      }
      if (used.length === 0) continue
      figures.push(atLeast(`of ${budget} tokens used while something is coarsened, the least`, Math.min(...used), leastUsed))
      figures.push({ what: 'the same, mean', value: percent(mean(used)) })
    }
    return figures
  },
}

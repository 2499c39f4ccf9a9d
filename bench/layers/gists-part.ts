import { figure } from '../shared/table.ts'
import { gistRates } from './gists.ts'
import { type LayerPart, percent } from './part.ts'

/** What a reader sees of gists: the share of the sentences with each flaw, and sizes. */
export const gistsPart: LayerPart = {
  layer: 'gists',
  figures: async ({ conversations }) =>
    conversations.length === 0
      ? []
      : Object.entries(gistRates(conversations)).map(([what, value]) => ({ what, value: value > 1 ? figure(value) : percent(value) })),
}

import { localDay } from '../bank/periods.ts'
import { settingsOf } from '../distil/settings.ts'
import type { Here } from '../storage/here.ts'
import { allLayers, allLayersIn, type Layer } from '../storage/layers.ts'
import { type Cost, type Spending, spending } from '../storage/log/spending.ts'

/** The ways in which a bill is divided. */
export const costKeys = ['project', 'model', 'day', 'layer'] as const
export type CostKey = (typeof costKeys)[number]

/** A part of a bill. It has the fields by which the bill is divided. */
export interface CostPart extends Cost {
  readonly project?: string
  readonly model?: string
  /** A local day of the project: YYYY-MM-DD. */
  readonly day?: string
  /** Its share of the calls that were for several layers. `other`: a call for no layer that this version knows. */
  readonly layer?: Layer | 'other'
}

/** The cost of requests to language models. The parts add up to the total, and the total to the entries of the ledger. */
export interface Costs {
  readonly total: Cost
  readonly parts: readonly CostPart[]
}

/** The cost of a layer: its share of the calls that were for several layers. The layers add up to the ledger. */
export interface LayerCost extends Cost {
  readonly layer: Layer | 'other'
}

/** The bounds of a bill: requests begun within [from, to] (UTC milliseconds), of one project or of all. */
export interface CostRange {
  readonly project: string | undefined
  readonly from: number
  readonly to: number
}

const nothing: Cost = { calls: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }

/** Divides a whole number into equal whole shares. What is left goes one by one to the shares from `first` on. */
export function equalShares(whole: number, shares: number, first: number): number[] {
  const each = Math.floor(whole / shares)
  const left = whole - each * shares
  return Array.from({ length: shares }, (_, place) => each + Number((place - (first % shares) + shares) % shares < left))
}

/** Adds up the ledger, divided by some of its fields. */
export async function costs(here: Pick<Here, 'read'>, { project, from, to }: CostRange, by: readonly CostKey[]): Promise<Costs> {
  const days = new Map<string, Spending & { readonly day: string }>()
  for (const one of await here.read(spending(from, to))) {
    if (project !== undefined && one.project !== project) continue
    const day = localDay(one.at, settingsOf(one.settings).timeZone)
    const key = JSON.stringify([one.project, one.model, one.layers, day])
    days.set(key, { ...one, day, ...added(days.get(key) ?? nothing, one) })
  }
  let total = nothing
  const parts = new Map<string, CostPart>()
  for (const { layers, project: name, model, day, ...cost } of days.values()) {
    total = added(total, cost)
    for (const { layer, ...share } of sharesOf(layers, day, cost)) {
      const all = { project: name, model, day, layer }
      const fields = Object.fromEntries(by.map((key) => [key, all[key]]))
      const key = JSON.stringify(costKeys.map((one) => (one === 'layer' && by.includes(one) ? placeOf(layer) : fields[one])))
      parts.set(key, { ...fields, ...added(parts.get(key) ?? nothing, share) })
    }
  }
  const sorted = [...parts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part)
  return { total, parts: sorted }
}

/** Gives the place of a layer, as two digits: layers are listed in the order of their bits. */
function placeOf(layer: Layer | 'other'): string {
  return String(layer === 'other' ? allLayers.length : allLayers.indexOf(layer)).padStart(2, '0')
}

/** Divides the cost of a day's calls among their layers. The odd one goes to another layer each day. */
function sharesOf(bits: number, day: string, cost: Cost): LayerCost[] {
  const known = allLayersIn(bits)
  const layers: (Layer | 'other')[] = known.length === 0 ? ['other'] : known
  const first = Math.floor(Date.parse(day) / 86_400_000)
  const of = (key: keyof Cost): number[] => equalShares(cost[key], layers.length, first)
  const shares = { calls: of('calls'), input: of('inputTokens'), output: of('outputTokens') }
  const cached = { read: of('cacheReadTokens'), written: of('cacheWriteTokens') }
  return layers.map((layer, place) => ({
    layer,
    calls: shares.calls[place] ?? 0,
    inputTokens: shares.input[place] ?? 0,
    outputTokens: shares.output[place] ?? 0,
    cacheReadTokens: cached.read[place] ?? 0,
    cacheWriteTokens: cached.written[place] ?? 0,
  }))
}

function added(one: Cost, other: Cost): Cost {
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  }
}

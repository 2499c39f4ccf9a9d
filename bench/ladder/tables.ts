import { figure, table } from '../shared/table.ts'
import { mean, percentile } from '../shared/statistics.ts'
import type { Measured } from './measured.ts'

const targetCalls = 1.2
const targetRenderMs = 5
/** A project's default budget: the target is for it. */
const usualBudget = 2_000
const recentLooks = 30

const rungs = ['conversation', 'day', 'week', 'month', 'year'] as const

/** Lists calls by the wanted text, in all and for each conversation. */
export function callsTable({ calls, conversations, promptTokens, provisional }: Measured): string {
  const kinds = [
    ...rungs,
    ...Object.keys(calls)
      .filter((kind) => !rungs.some((rung) => rung === kind))
      .sort(),
  ]
  const all = Object.values(calls).reduce((sum, count) => sum + count, 0)
  const each = all / conversations
  const rows = kinds.map((kind) => [kind, figure(calls[kind] ?? 0), figure((calls[kind] ?? 0) / conversations)])
  return `${table(['calls for', 'in all', 'a conversation'], [...rows, ['all', figure(all), figure(each)]])}
target ≤ ${targetCalls} calls a conversation: ${each <= targetCalls ? 'met' : 'MISSED'}; sent \
${figure(promptTokens / conversations)} tokens a conversation; ${provisional} provisional entries`
}

/** Lists the cost of rendering at several ages. */
export function rendersTable({ marks, kept, firstMs }: Measured): string {
  const rows = marks
    .flatMap(({ renders }) => renders)
    .map(({ day, budget, entries, p50, p95, cpuMs }) => [
      `day ${day}`,
      figure(budget),
      figure(entries),
      figure(p50),
      figure(p95),
      figure(cpuMs),
      budget === usualBudget ? (p50 <= targetRenderMs ? 'met' : 'MISSED') : '',
    ])
  const daily = kept.map(({ budget, ms }) => `${figure(percentile(ms.slice(-recentLooks), 0.5))} ms at ${figure(budget)}`).join(', ')
  return `${table(['render', 'budget', 'entries', 'p50 ms', 'p95 ms', 'CPU ms', `p50 ≤ ${targetRenderMs}`], rows)}
the first render after a conversation was read, in the last ${recentLooks} days: p50 ${figure(percentile(firstMs, 0.5))} ms, p95 \
${figure(percentile(firstMs, 0.95))} ms at ${figure(usualBudget)}
the first render after a day's talk, median of the last ${recentLooks} days: ${daily}`
}

/** Lists whether the budget was kept on every day, and the omissions. */
export function keptTable({ kept, entries, conversations }: Measured): string {
  const counts = (some: Readonly<Record<string, number>>): string => rungs.map((rung) => some[rung] ?? 0).join(' · ')
  const rows = kept.map(({ budget, looks, over, mostTokens, tokens, unaccounted, daysWithOmissions, omitted, shown, told }) => [
    figure(budget),
    String(looks),
    String(over),
    figure(mostTokens),
    figure(mean(tokens.slice(-recentLooks))),
    String(unaccounted),
    String(daysWithOmissions),
    `${omitted} of ${conversations}`,
    counts(shown),
    counts(told),
  ])
  const [used, omitted] = ['used at the end', 'omitted at the end']
  const shown = ['entries shown', 'conversations told of']
  const headings = ['budget', 'days', 'over it', 'most tokens', used, 'not added up', 'days with omissions', omitted, ...shown]
  return `${table(headings, rows)}
in the store, by conversation · day · week · month · year: ${counts(entries)}`
}

/** Lists the cost of a conversation, and the growth of the store. */
export function growthTable({ marks }: Measured): string {
  const rows = marks.map(({ day, conversations, calls, upkeepCpuMs, appendCpuMs, bytes, logBytes }) => [
    `until day ${day}`,
    figure(conversations),
    figure(calls / conversations),
    figure(upkeepCpuMs),
    figure(appendCpuMs),
    figure(bytes / 1e6),
    figure(logBytes / 1e6),
    figure(bytes / conversations),
  ])
  return table(
    ['growth', 'conversations', 'calls a conversation', 'upkeep CPU ms', 'append CPU ms', 'database MB', 'log MB', 'bytes a conversation'],
    rows,
  )
}

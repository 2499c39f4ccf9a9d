/** The rungs of the ladder, finest first. */
export const granularities = ['conversation', 'day', 'week', 'month', 'year'] as const

export type Granularity = (typeof granularities)[number]

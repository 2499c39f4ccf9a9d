/** The bounds and the usual value of the time after which a session is settled, in minutes. */
export const settling = { leastMinutes: 1, mostMinutes: 1_440, usualMinutes: 10 } as const

/** The bounds and the usual number of new messages that make a session due before it settles. */
export const newMessagesDue = { least: 2, most: 1_000, usual: 20 } as const

/**
 * The wait of a write for another process's lock. `full`: as long as the store allows, seconds. `brief`: some 50 ms, for
 * a write that can be tried again later.
 */
export type Patience = 'full' | 'brief'

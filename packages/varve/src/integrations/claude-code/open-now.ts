import { constants } from 'node:fs'

/**
 * Opens a file to read it, and waits for nobody. A pipe, or a file of the system that waits for data, would hold up the hook,
 * and its end too: Node ends after the reads that are under way.
 */
export const openNow = constants.O_RDONLY | constants.O_NONBLOCK

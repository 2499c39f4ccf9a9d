import type { KeptCase } from './kept-case.ts'
import { workingSelf } from './working-self.ts'
import { workingTalk } from './working-talk.ts'
import { workingTraps } from './working-traps.ts'

/** The half on which the patterns were chosen. */
export const workingHalf: KeptCase[] = [...workingSelf, ...workingTalk, ...workingTraps]

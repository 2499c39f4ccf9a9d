import type { MovingSource, MovingTarget } from '../../storage/moving.ts'

/** A move that was asked for. */
export interface MoveRequest {
  /** The store that is moved, and the place of the new one: an absolute path, or an address of PostgreSQL. */
  readonly from: string
  readonly to: string
  readonly signal?: AbortSignal | undefined
  /** Is told how far the move is, after each batch. */
  readonly onProgress?: (progress: MoveProgress) => void
}

/** How far a move is: rows that were moved or compared, or questions that were asked. */
export interface MoveProgress {
  readonly doing: 'rows' | 'comparison' | 'questions'
  readonly done: number
  readonly total: number
}

/** Both ends of a move. */
export interface Sides {
  readonly source: MovingSource
  readonly target: MovingTarget
}

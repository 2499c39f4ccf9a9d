import { VarveError } from '../errors/varve-error.ts'
import type { WritingHere } from './here.ts'

/**
 * Erases something, on a full disk too. What a first attempt erased before the disk was full stays erased, and a further
 * one takes the rest, as a repeated call does.
 */
export async function withRoom<Result>(here: Pick<WritingHere, 'makeRoom'>, erase: (isFull: boolean) => Promise<Result>): Promise<Result> {
  try {
    return await erase(false)
  } catch (error) {
    if (!isFull(error) || !(await here.makeRoom())) throw error
    return await inOneOrMore(erase)
  }
}

export function isFull(error: unknown): boolean {
  return VarveError.is(error) && error.code === 'DISK_FULL'
}

/** Erases in one transaction, which needs the least space; where that is too much, as much as there is space for. */
async function inOneOrMore<Result>(erase: (isFull: boolean) => Promise<Result>): Promise<Result> {
  try {
    return await erase(true)
  } catch (error) {
    if (!isFull(error)) throw error
    return await erase(false)
  }
}

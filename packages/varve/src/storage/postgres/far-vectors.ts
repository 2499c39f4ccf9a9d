import { abreast, all, first, type Program, run } from '../program.ts'
import { findModel, type VectorMaker } from '../segment/embeddings.ts'
import type { FarBound, FarFilter, FarFound, FarRow, FarVectors } from '../segment/far-vectors.ts'
import {
  addFarRows,
  dropFarIndex,
  type FarDueParams,
  type FarSearchParams,
  type FarSearchRow,
  findFarDue,
  findFarLeft,
  makeFarIndex,
  mostFarComponents,
  readFarNext,
  searchFar,
  takeFarDue,
  tellFarLacks,
  walkIndex,
  walkOrSort,
} from './far-statements.ts'

/** Vectors that one transaction copies. Each goes into the index by itself: a millisecond or two of the server. */
const rowsPerCopy = 64

/** A half number has three digits and a half. */
const digits = 6

/** The extension as an open store uses it. */
export interface FarMeans {
  /** Its schema, quoted. */
  readonly extension: string
  /** True when this role owns the table of vectors, and may make an index on it. */
  readonly mayMake: boolean
}

/** Finds the old messages of partitions over the bound by pgvector. */
export function pgFarVectors({ extension, mayMake }: FarMeans): FarVectors {
  const searches = new Map<string, ReturnType<typeof searchFar>>()
  const searchOf = (dimension: number, isFiltered: boolean): ReturnType<typeof searchFar> => {
    const name = `${dimension} ${isFiltered}`
    const search = searches.get(name) ?? searchFar(extension, dimension, isFiltered)
    searches.set(name, search)
    return search
  }
  const add = addFarRows(extension)
  return {
    *search({ key: { id: embedding, partition_id: partition }, upTo, vector, wanted }): Program<FarFound> {
      const params = { partition, embedding, upTo, vector: asText(vector), ...filterOf(wanted) }
      const search = searchOf(vector.length, isFiltering(wanted))
      const [, rows, , lacks] = yield* abreast([
        run(walkIndex, {}),
        all(search, params),
        run(walkOrSort, {}),
        first(tellFarLacks, { partition, embedding }),
      ])
      return { rows: rows.map(rowOf).toSorted((a, b) => a.ord - b.ord), lacksSome: lacks?.lacks === 1 }
    },
    *isDue(maker, bound): Program<boolean> {
      const params = yield* dueOf(maker, bound, mayMake)
      return params !== undefined && (yield* first(findFarDue, params)) !== undefined
    },
    *keep(maker, bound): Program<boolean> {
      const params = yield* dueOf(maker, bound, mayMake)
      const due = params === undefined ? undefined : yield* first(takeFarDue, params)
      if (due === undefined) {
        if (mayMake) for (const { name } of yield* all(findFarLeft, {})) yield* run(dropFarIndex(name), {})
        return false
      }
      const { partition, embedding } = due
      if (due.hasIndex === 0) {
        yield* run(makeFarIndex(extension, due, maker.dimension), {})
        return true
      }
      const next = yield* all(readFarNext, { partition, embedding, limit: rowsPerCopy })
      const rows = next.map(({ id, ord, body }) => [id, ord, asText(floatsIn(body))])
      yield* run(add, { partition, embedding, rows: JSON.stringify(rows) })
      return next.length > 0
    },
  }
}

function* dueOf(maker: VectorMaker, bound: FarBound, mayMake: boolean): Program<FarDueParams | undefined> {
  if (maker.dimension > mostFarComponents) return undefined
  const model = yield* findModel(maker)
  return model === undefined ? undefined : { model, dimension: maker.dimension, ...bound, mayMake: Number(mayMake) }
}

function isFiltering({ session, excludeSession, from, to }: FarFilter): boolean {
  return session !== undefined || excludeSession !== undefined || Number.isFinite(from) || Number.isFinite(to)
}

function filterOf({
  session,
  excludeSession,
  excludeSince,
  from,
  to,
}: FarFilter): Pick<FarSearchParams, 'session' | 'excludeSession' | 'excludeSince' | 'from' | 'to'> {
  return {
    session: session ?? null,
    excludeSession: excludeSession ?? null,
    excludeSince: whole(excludeSince ?? Number.NEGATIVE_INFINITY),
    from: whole(from),
    to: whole(to),
  }
}

/** A time as the server takes it, which knows no infinite number. */
function whole(time: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, time))
}

function rowOf({ terms, begins, ends, cosine, vector, ...row }: FarSearchRow): FarRow {
  // A vector of zeros has no cosine.
  const hasPassage = begins !== null && ends !== null && cosine !== null && !Number.isNaN(cosine)
  return {
    ...row,
    bodies: terms,
    from: 0,
    to: terms.length,
    passage: hasPassage ? { from: begins, to: ends, cosine, vector: vector ?? undefined } : undefined,
  }
}

/** A vector as pgvector reads it. */
function asText(vector: Float32Array): string {
  return `[${Array.from(vector, (component) => Number(component.toPrecision(digits))).join(',')}]`
}

/** The components of a stored vector: 32-bit numbers, least significant byte first. */
function floatsIn(stored: Uint8Array): Float32Array {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  return Float32Array.from({ length: stored.byteLength / 4 }, (_, at) => view.getFloat32(at * 4, true))
}

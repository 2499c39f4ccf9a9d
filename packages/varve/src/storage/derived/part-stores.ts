import { type ReadInstructions, storeReadInstructions } from './instructions.ts'
import { type ReadFacts, storeRead } from '../known/known.ts'
import { type DistilledLayer, layersIn } from '../layers.ts'
import { type NewPageFact, storePageFacts } from '../pages/page-facts.ts'
import { ensureShared } from '../partitions.ts'
import { abreast, type Program, runLast } from '../program.ts'
import type { PartOwner, WrittenPart } from './parts.ts'
import { referenceChanges } from './references.ts'

/** A part to be stored, with its layer's data beside the sentences. */
export interface NewPart extends WrittenPart {
  /** The facts of a part, which it holds in the place of sentences. */
  readonly known?: ReadFacts
  /** The statements about subjects of a part for documents, and the number of refused ones. */
  readonly subjects?: { readonly facts: readonly NewPageFact[]; readonly refused: number }
  /** The standing instructions of a part. */
  readonly standing?: ReadInstructions
}

/** Counts the statements that a part holds in the place of sentences, and the refused ones. */
export function statedIn({ known, subjects, standing }: NewPart): { found: number; refused: number } {
  return {
    found: (known?.facts.length ?? 0) + (subjects?.facts.length ?? 0) + (standing?.asked.length ?? 0),
    refused: (known?.refused ?? 0) + (subjects?.refused ?? 0) + (standing?.refused ?? 0),
  }
}

type StorePart = (owner: PartOwner, part: NewPart, now: number) => Program<void>

/**
 * The store functions of layers that keep data of a part beside its sentences. Sentences stand in the part, and become
 * items once a session is read.
 */
const stores: { readonly [Name in DistilledLayer]?: StorePart } = {
  *facts({ partition, session }, part, now) {
    if (part.known !== undefined) yield* storeRead(partition, session, part, part.known, now)
  },
  *documents({ partition, session }, part) {
    if (part.subjects !== undefined) yield* storePageFacts(partition, session, part, part.subjects.facts)
  },
  *instructions(owner, part, now) {
    if (part.standing !== undefined) yield* storeReadInstructions(owner, part, part.standing.asked, now)
  },
  *shared({ project, partition, session }, part, now) {
    yield* runLast(yield* referenceChanges(yield* ensureShared(project, now), partition, session, part, now))
  },
}

/** Stores the data that a part's layer keeps beside its sentences. No two layers write the same rows. */
export function* storeBeside(owner: PartOwner, part: NewPart, now: number): Program<void> {
  yield* abreast(layersIn(part.layer).flatMap((layer) => stores[layer]?.(owner, part, now) ?? []))
}

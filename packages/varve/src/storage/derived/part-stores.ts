import { storeRead } from '../known/known.ts'
import { type DistilledLayer, layersIn } from '../layers.ts'
import { storePageFacts } from '../pages/page-facts.ts'
import { ensureShared } from '../partitions.ts'
import type { Program } from '../program.ts'
import type { NewPart } from './parts.ts'
import { referenceMessages } from './references.ts'

/** The session that a part was read from, its partition and its project, by their numbers. */
export interface PartOwner {
  readonly session: number
  readonly partition: number
  readonly project: number
}

type StorePart = (owner: PartOwner, part: NewPart, now: number) => Program<void>

/** What layers keep of a part beside its sentences. Sentences stand in the part, and become items once a session is read. */
const stores: { readonly [Name in DistilledLayer]?: StorePart } = {
  *facts({ partition, session }, part, now) {
    if (part.known !== undefined) yield* storeRead(partition, session, part, part.known, now)
  },
  *documents({ partition, session }, part) {
    if (part.subjects !== undefined) yield* storePageFacts(partition, session, part, part.subjects.facts)
  },
  *shared({ project, session }, part, now) {
    yield* referenceMessages(yield* ensureShared(project, now), session, part, now)
  },
}

/** Stores what a part's layer keeps beside its sentences. */
export function* storeBeside(owner: PartOwner, part: NewPart, now: number): Program<void> {
  for (const layer of layersIn(part.layer)) {
    const store = stores[layer]
    if (store !== undefined) yield* store(owner, part, now)
  }
}

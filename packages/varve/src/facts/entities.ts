import { mergedNames, self } from '../storage/known/entities.ts'
import { isNote } from '../storage/known/assertions.ts'
import { rowsOfSlots } from '../storage/known/assertion-rows.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Program } from '../storage/program.ts'
import { derive } from './derive.ts'
import { entityKey, comparedText } from './keys.ts'

/**
 * The names that are one entity: "I", the user's own name, names that the user claimed, and names that were merged by
 * hand. Derived anew at each question, so that a forgotten name is nobody's.
 */
export class Entities {
  /** The user's name in facts. */
  readonly label: string
  readonly #canonical: ReadonlyMap<string, string>
  readonly #members: ReadonlyMap<string, readonly string[]>

  constructor(label: string, canonical: ReadonlyMap<string, string>) {
    this.label = label
    this.#canonical = canonical
    const members = new Map<string, string[]>()
    for (const [name, entity] of canonical) {
      const known = members.get(entity)
      if (known === undefined) members.set(entity, [entity, name])
      else known.push(name)
    }
    this.#members = members
  }

  /** Gives the key of an entity, from the key of any of its names. */
  of(key: string): string {
    return this.#canonical.get(key) ?? key
  }

  /**
   * Gives the key by which the object of a predicate is compared. Objects of `name` stay apart: an entity may have had
   * several names, one after the other.
   */
  objectOf(predicate: string, key: string): string {
    return predicate === 'name' ? key : this.of(key)
  }

  /** Gives all keys under which statements of a predicate about an object may stand. */
  namesOfObject(predicate: string, object: string): readonly string[] {
    return predicate === 'name' ? [object] : this.namesOf(object)
  }

  /** Gives the key of a subject in a question. */
  asked(name: string): string {
    return this.of(entityKey(name))
  }

  /** Gives all keys under which statements about an entity may stand. */
  namesOf(entity: string): readonly string[] {
    return this.#members.get(entity) ?? [entity]
  }
}

/** Gives the name of the partition's own user. */
export function ownName({ owner }: PartitionId): string {
  return owner.kind === 'user' ? owner.name : 'user'
}

/** Reads the entities of a partition, as of a time. */
export function* entitiesOf(partition: PartitionId, known: number, asOf: number): Program<Entities> {
  const label = ownName(partition)
  const canonical = new Map<string, string>()
  const own = comparedText(label)
  if (own !== self) canonical.set(own, self)
  // Only persons claim names: an agent's note would make another person's statements the user's own.
  const claimed = (yield* rowsOfSlots(known, [self], ['name'])).filter((row) => !isNote(row))
  for (const { object, isBelieved } of derive(claimed, true, asOf)) if (isBelieved && object !== self) canonical.set(object, self)
  const byHand = new Map((yield* mergedNames(known)).map(({ name_key: name, entity_key: entity }) => [name, entity]))
  // A name may have been merged into one that is the user's own, or into one that was merged in turn.
  for (const name of byHand.keys()) {
    let entity = name
    for (const seen = new Set<string>(); !seen.has(entity) && byHand.has(entity); entity = byHand.get(entity) ?? entity) seen.add(entity)
    canonical.set(name, canonical.get(entity) ?? entity)
  }
  canonical.delete(self)
  return new Entities(label, canonical)
}

/** A fact in a careful reader's words. The subject `''` is the speaker. A list of objects gives equally right ones. */
export interface KeptFact {
  readonly subject: string
  readonly predicate: string
  readonly object: string | string[]
  readonly says?: 'is' | 'ends' | 'wrong'
}

/** A message, the facts worth keeping, those that are right and not needed, and those that are true and of no worth. */
export interface KeptCase {
  readonly kind: string
  readonly text: string
  readonly must: KeptFact[]
  readonly may?: KeptFact[]
  readonly trivial?: KeptFact[]
}

export function keep(predicate: string, object: string | string[], subject = ''): KeptFact {
  return { subject, predicate, object }
}

export function over(predicate: string, object: string | string[], subject = ''): KeptFact {
  return { subject, predicate, object, says: 'ends' }
}

export function never(predicate: string, object: string | string[], subject = ''): KeptFact {
  return { subject, predicate, object, says: 'wrong' }
}

export function told(kind: string, text: string, must: KeptFact[], may: KeptFact[] = [], trivial: KeptFact[] = []): KeptCase {
  return { kind, text, must, may, trivial }
}

/** A message that tells nothing lasting. */
export function trap(kind: string, text: string, may: KeptFact[] = [], trivial: KeptFact[] = []): KeptCase {
  return { kind: `trap: ${kind}`, text, must: [], may, trivial }
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noVector } from '../index/vectors/vector-codes.ts'
import { runs } from '../testing/runs.ts'
import { type FirstScores, shortlist } from './shortlist.ts'
import type { Wanted } from './wanted.ts'
import { leastCosine, weights } from './weights.ts'

interface Said {
  readonly session: number
  readonly own: number
  readonly cosine: number
  readonly at: number
  readonly gone: boolean
}

const everything: Wanted = {
  session: undefined,
  excludeSession: undefined,
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  halfLifeDays: undefined,
  now: 0,
}

const said: fc.Arbitrary<Said> = fc.record({
  session: fc.integer({ min: 1, max: 3 }),
  own: fc.constantFrom(0, 0, 0, 0.25, 0.5, 1),
  cosine: fc.constantFrom(noVector, -0.5, 0, 0.05, 0.25, 0.5, 1),
  at: fc.integer({ min: 0, max: 9 }),
  gone: fc.boolean(),
})

/** Makes some messages, now and then none of them with a vector. */
function some(lengths: fc.ArrayConstraints): fc.Arbitrary<Said[]> {
  const all = fc.array(said, lengths)
  return fc.oneof(
    all,
    all.map((messages) => messages.map((message) => ({ ...message, cosine: noVector }))),
  )
}

/** Gives messages their sessions as a segment does: a dead message has left its session. */
function talkOf(messages: readonly Said[]) {
  const previous = new Int32Array(messages.length).fill(-1)
  const next = new Int32Array(messages.length).fill(-1)
  for (const session of new Set(messages.map((message) => message.session))) {
    const places = [...messages.keys()].filter((doc) => messages[doc]?.session === session && messages[doc].gone === false)
    for (const [place, doc] of places.entries()) {
      previous[doc] = places[place - 1] ?? -1
      next[doc] = places[place + 1] ?? -1
    }
  }
  return {
    count: messages.length,
    previous,
    next,
    lengths: new Int32Array(messages.length).fill(5),
    dead: Uint8Array.from(messages, ({ gone }) => Number(gone)),
    saidAt: Float64Array.from(messages, ({ at }) => at),
    sessions: Int32Array.from(messages, ({ session }) => session),
  }
}

/** Leaves dead messages out, as postings do. */
function ownOf(messages: readonly Said[]): Float32Array {
  return Float32Array.from(messages, ({ own, gone }) => (gone ? 0 : own))
}

/** Gives the cosines; undefined when no message has a vector. */
function cosinesOf(messages: readonly Said[]): Float32Array | undefined {
  return messages.every(({ cosine }) => cosine === noVector) ? undefined : Float32Array.from(messages, ({ cosine }) => cosine)
}

function listed(messages: readonly Said[], wanted: Wanted, most: number, is: FirstScores['is'] = () => []): number[] {
  return [...shortlist(talkOf(messages), { own: ownOf(messages), cosines: cosinesOf(messages), is }, wanted, most)]
}

test('all that says a word, is near one that does, or comes near in meaning, and is wanted, in order', () => {
  const filter = fc.record({
    session: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    excludeSession: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    from: fc.constantFrom(Number.NEGATIVE_INFINITY, 3, 7),
    to: fc.constantFrom(Number.POSITIVE_INFINITY, 5, 8),
  })
  fc.assert(
    fc.property(some({ maxLength: 30 }), filter, (messages, filtered) => {
      const isWanted = ({ session, at, gone }: Said): boolean =>
        !gone &&
        (filtered.session ?? session) === session &&
        filtered.excludeSession !== session &&
        at >= filtered.from &&
        at <= filtered.to
      const living = messages.filter(({ gone }) => !gone)
      const says = (message: Said): boolean => {
        const session = living.filter(({ session: other }) => other === message.session)
        const place = session.indexOf(message)
        return session.some(({ own }, other) => own > 0 && Math.abs(other - place) <= 3)
      }
      const expected = [...messages.entries()]
        .filter(([, message]) => isWanted(message) && (says(message) || message.cosine >= leastCosine))
        .map(([doc]) => doc)
      expect(listed(messages, { ...everything, ...filtered }, 1_000)).toEqual(expected)
    }),
  )
})

/** Compares two messages: the one said last comes first, then the one stored last. */
function saidLater(messages: readonly Said[], a: { readonly doc: number }, b: { readonly doc: number }): number {
  return (messages[b.doc]?.at ?? 0) - (messages[a.doc]?.at ?? 0) || b.doc - a.doc
}

test('where there are more, the best by words and meaning together, of equals those said last, and what was said near them', () => {
  fc.assert(
    fc.property(fc.array(said, { maxLength: 30 }), fc.integer({ min: 1, max: 10 }), (messages, most) => {
      const scored = [...messages.entries()]
        .filter(([, { own, cosine, gone }]) => !gone && (own > 0 || cosine >= leastCosine))
        .map(([doc, { own, cosine }]) => ({ doc, score: own + Math.max(0, cosine) }))
      const best = scored
        .toSorted((a, b) => b.score - a.score || saidLater(messages, a, b))
        .slice(0, most)
        .map(({ doc }) => doc)
      const alone = messages.map((message, doc) => (best.includes(doc) ? message : { ...message, own: 0, cosine: noVector }))
      expect(listed(messages, everything, most)).toEqual(listed(alone, everything, 1_000))
    }),
  )
})

test('who said it and when have a say', () => {
  const messages = [0.25, 0.5, 0.5, 0.25].map((cosine, place) => ({ session: place, own: 0, cosine, at: 0, gone: false }))
  const speaks: FirstScores['is'] = (docs) => [{ name: 'date', values: Float32Array.from(docs, (doc) => Number(doc === 0)) }]
  expect(listed(messages, everything, 1)).toEqual([2])
  expect(listed(messages, everything, 1, speaks)).toEqual([0])
})

test('with what they are, the best are those that are best when all are compared', () => {
  const more = fc.array(fc.constantFrom(0, 0, 0.5, 1), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(
      fc.array(said, { minLength: 20, maxLength: 60 }),
      more,
      more,
      fc.integer({ min: 1, max: 10 }),
      (messages, spoke, dates, most) => {
        const is: FirstScores['is'] = (docs) => [
          { name: 'speaker', values: Float32Array.from(docs, (doc) => spoke[doc] ?? 0) },
          { name: 'date', values: Float32Array.from(docs, (doc) => dates[doc] ?? 0) },
        ]
        const scored = [...messages.entries()]
          .filter(([, { own, cosine, gone }]) => !gone && (own > 0 || cosine >= leastCosine))
          .map(([doc, { own, cosine }]) => {
            const about = Math.fround(Math.fround(own + Math.max(0, cosine)) + weights.speaker.people * (spoke[doc] ?? 0))
            return { doc, step: Math.floor(Math.fround(about + weights.date.people * (dates[doc] ?? 0)) * 256) }
          })
        const best = scored
          .toSorted((a, b) => b.step - a.step || saidLater(messages, a, b))
          .slice(0, most)
          .map(({ doc }) => doc)
        const alone = messages.map((message, doc) => (best.includes(doc) ? message : { ...message, own: 0, cosine: noVector }))
        expect(listed(messages, everything, most, is)).toEqual(listed(alone, everything, 1_000))
      },
    ),
    { numRuns: runs(300) },
  )
})

test('of thousands too, of which most are let go as they come', () => {
  const values = fc.array(fc.constantFrom(0, 0, 0.5, 1), { minLength: 7, maxLength: 60 })
  const filter = fc.constantFrom<Partial<Wanted>>({}, {}, { excludeSession: 2 }, { session: 1 })
  fc.assert(
    fc.property(
      some({ minLength: 20, maxLength: 60 }),
      values,
      fc.boolean(),
      filter,
      fc.integer({ min: 1, max: 100 }),
      (part, spoke, isNamed, filtered, most) => {
        // Later messages are a little nearer, so that the first ones to be dropped would else have been among the best.
        const messages = Array.from({ length: 2_000 / part.length }, () => part)
          .flat()
          .map((message, doc) => (message.cosine > 0 ? { ...message, cosine: message.cosine + doc / 10_000 } : message))
        const valueOf = (doc: number): number => spoke[doc % spoke.length] ?? 0
        const is: FirstScores['is'] = (docs) => (isNamed ? [{ name: 'speaker', values: Float32Array.from(docs, valueOf) }] : [])
        const wanted = { ...everything, ...filtered }
        const isWanted = ({ session }: Said): boolean => (filtered.session ?? session) === session && filtered.excludeSession !== session
        const leads = (message: Said): boolean => !message.gone && (message.own > 0 || message.cosine >= leastCosine) && isWanted(message)
        const leading = [...messages.entries()].filter(([, message]) => leads(message))
        const best = leading
          .map(([doc, { own, cosine }]) => {
            const about = Math.fround(own + Math.max(0, Math.fround(cosine)))
            return { doc, step: Math.floor(Math.fround(about + (isNamed ? weights.speaker.people * valueOf(doc) : 0)) * 256) }
          })
          .toSorted((a, b) => b.step - a.step || saidLater(messages, a, b))
          .slice(0, most)
        const chosen = new Set(best.map(({ doc }) => doc))
        const alone = messages.map((message, doc) => (chosen.has(doc) ? message : { ...message, own: 0, cosine: noVector }))
        expect(listed(messages, wanted, most, is)).toEqual(listed(alone, wanted, 2_000))
      },
    ),
    { numRuns: runs(60) },
  )
})

test('what was said long ago gives way where age counts, and is still told apart', () => {
  const day = 86_400_000
  const messages = [1, 0.5, 0.5].map((cosine, place) => ({ session: place, own: 0, cosine, at: place === 0 ? 0 : 9 * day, gone: false }))
  expect(listed(messages, { ...everything, now: 9 * day }, 1)).toEqual([0])
  expect(listed(messages, { ...everything, now: 9 * day, halfLifeDays: 3 }, 1)).toEqual([2])
  expect(
    listed(
      messages.map((message) => ({ ...message, at: 0 })),
      { ...everything, now: 900 * day, halfLifeDays: 3 },
      1,
    ),
  ).toEqual([0])
})

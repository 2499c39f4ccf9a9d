import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SaidState } from '../../../models/writer.ts'
import { endingPairs, standingPairs, type StatePair } from './ends.sentences.ts'
import { endsState } from './ends-state.ts'

function stateOf(text: string): SaidState {
  return { predicate: '', object: /\[(?<value>.*)\]/u.exec(text)?.groups?.['value'] ?? '', text: text.replaceAll(/[[\]]/gu, ''), at: 0 }
}

function ends([later, earlier]: StatePair): boolean {
  return endsState(stateOf(later), stateOf(earlier))
}

/** Words were chosen with the even pairs in view. The odd ones show what they do for others. */
test.each([
  ['working', 0, 0.9, 0.98],
  ['reporting', 1, 0.82, 0.98],
] as const)('a later statement ends an earlier one about the same attribute: the %s half', (half, rest, leastFound, leastStanding) => {
  const isOurs = (_: StatePair, place: number): boolean => place % 2 === rest
  const [ending, standing] = [endingPairs.filter(isOurs), standingPairs.filter(isOurs)]
  const missed = ending.filter((pair) => !ends(pair)).map((pair) => `missed: ${pair.join(' | ')}`)
  const harmed = standing.filter(ends).map((pair) => `too much: ${pair.join(' | ')}`)
  const [found, left] = [1 - missed.length / ending.length, 1 - harmed.length / standing.length]
  process.stdout.write(`ends of states, ${half} half: found ${found.toFixed(3)}, left standing ${left.toFixed(3)}\n`)
  expect(found, missed.join('\n')).toBeGreaterThanOrEqual(leastFound)
  expect(left, harmed.join('\n')).toBeGreaterThanOrEqual(leastStanding)
})

test('about half of the pairs both stand, and no pair stands twice', () => {
  const all = [...endingPairs, ...standingPairs].map((pair) => pair.join(' | '))
  expect(all.length).toBeGreaterThanOrEqual(200)
  expect(standingPairs.length).toBeGreaterThanOrEqual(all.length * 0.45)
  expect(new Set(all).size).toBe(all.length)
})

test('no statement ends itself, nor one with the same value', () => {
  const states = [...endingPairs, ...standingPairs].flat().map(stateOf)
  expect(states.filter((state) => endsState(state, { ...state }))).toEqual([])
  expect(states.filter((state) => endsState({ ...state, text: `now ${state.text}` }, state))).toEqual([])
})

test('statements of different pairs rarely end each other', () => {
  const states = endingPairs.map(([later]) => stateOf(later))
  const pairs = states.flatMap((later) => states.filter((earlier) => earlier !== later).map((earlier) => [later, earlier] as const))
  const ended = pairs.filter(([later, earlier]) => endsState(later, earlier))
  expect(ended.length / pairs.length, ended.map(([a, b]) => `${a.text} | ${b.text}`).join('\n')).toBeLessThan(0.002)
})

test('any texts are compared, long ones too', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, text, (object, said, other) => {
      const [later, earlier] = [said, other].map((around) => ({ predicate: '', object, text: `${around} ${object}`, at: 0 }))
      return later !== undefined && earlier !== undefined && !endsState(later, earlier)
    }),
  )
  const long = { predicate: 'rent', object: '850 euros', text: `my rent is 850 euros ${'and more '.repeat(50_000)}`, at: 0 }
  expect(endsState({ ...long, object: '920 euros' }, long)).toBe(false)
})

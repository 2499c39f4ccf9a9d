import { expect, test } from 'vitest'
import type { SubjectFact } from '../models/writer.ts'
import { assignSubjects } from './subjects.ts'

const said = (seq: number, subject: string, fact: string): SubjectFact => ({ seq, subject, fact })

test('two pools with one new name make one document, with the facts in the order of the talk', () => {
  const assigned = assignSubjects(
    [said(3, 'Bakery', 'Rye bread is $6.'), said(1, 'the bakery', 'It opens at 7.'), said(2, 'bike', 'The bike is red.')],
    () => undefined,
  )
  expect(assigned).toEqual([
    {
      document: undefined,
      name: 'Bakery',
      also: ['the bakery'],
      facts: [said(1, 'the bakery', 'It opens at 7.'), said(3, 'Bakery', 'Rye bread is $6.')],
    },
    { document: undefined, name: 'bike', also: [], facts: [said(2, 'bike', 'The bike is red.')] },
  ])
})

test('subjects that mean one document get one editor', () => {
  const assigned = assignSubjects(
    [said(1, 'shop', 'It opens at 7.'), said(2, 'bakery', 'Rye bread is $6.'), said(3, 'shop', 'It closes at 5.')],
    () => 7,
  )
  expect(assigned).toEqual([
    {
      document: 7,
      name: 'shop',
      also: ['bakery'],
      facts: [said(1, 'shop', 'It opens at 7.'), said(2, 'bakery', 'Rye bread is $6.'), said(3, 'shop', 'It closes at 5.')],
    },
  ])
})

test('what is said twice is one fact, from the first message', () => {
  expect(assignSubjects([said(5, 'bike', 'the bike is RED'), said(2, 'Bike', 'The bike is red.')], () => undefined)[0]?.facts).toEqual([
    said(2, 'Bike', 'The bike is red.'),
  ])
})

test('amounts and places with a comma stay whole', () => {
  const facts = [said(1, 'trip', 'The trip costs $1,000.'), said(2, 'trip', 'Ada lives in Paris, France.')]
  expect(assignSubjects(facts, () => undefined)[0]?.facts).toEqual(facts)
})

test('the speaker is a subject by himself', () => {
  expect(assignSubjects([said(1, '', 'I sail.'), said(2, 'boat', 'My boat leaks.')], () => undefined).map(({ name }) => name)).toEqual([
    '',
    'boat',
  ])
})

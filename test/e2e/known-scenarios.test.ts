import { describe, expect, test } from 'vitest'
import { absences } from '../fixtures/scenarios/absences.ts'
import { cascades } from '../fixtures/scenarios/cascades.ts'
import { corrections } from '../fixtures/scenarios/corrections.ts'
import { deletions } from '../fixtures/scenarios/deletions.ts'
import { names } from '../fixtures/scenarios/names.ts'
import { plansMade } from '../fixtures/scenarios/plans.ts'
import { play, playBackwards, readsInAnyOrder } from '../fixtures/scenarios/play.ts'
import { problemsOf } from '../fixtures/scenarios/problems.ts'
import { retractions } from '../fixtures/scenarios/retractions.ts'
import { kinds } from '../fixtures/scenarios/scenario.ts'
import { several } from '../fixtures/scenarios/several.ts'
import { toldLate } from '../fixtures/scenarios/told-late.ts'
import { trust } from '../fixtures/scenarios/trust.ts'
import { updates } from '../fixtures/scenarios/updates.ts'

const scenarios = [
  ...updates,
  ...corrections,
  ...retractions,
  ...toldLate,
  ...plansMade,
  ...names,
  ...cascades,
  ...absences,
  ...deletions,
  ...several,
  ...trust,
]

test('the histories are many, of every kind, and sound: what they say is in their words, and each is asked what holds', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(44)
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
  for (const kind of kinds) expect(scenarios.filter((scenario) => scenario.kind === kind).length, kind).toBeGreaterThanOrEqual(4)
  expect(scenarios.filter(readsInAnyOrder).length).toBeGreaterThanOrEqual(30)
  expect(scenarios.flatMap(problemsOf)).toEqual([])
})

describe('knowledge that changes, read as it is told', () => {
  for (const scenario of scenarios) test(`${scenario.kind}: ${scenario.name}`, () => play(scenario))
})

describe('knowledge that changes, read at the end and the last talk first', () => {
  for (const scenario of scenarios.filter(readsInAnyOrder)) test(`${scenario.kind}: ${scenario.name}`, () => playBackwards(scenario))
})

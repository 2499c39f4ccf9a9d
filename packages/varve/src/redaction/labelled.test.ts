import { expect, test } from 'vitest'
import { measuredRedaction } from '../../../../test/fixtures/secrets/measured.ts'
import { reportingSet } from '../../../../test/fixtures/secrets/reporting-set.ts'
import { redact } from './redact.ts'

// What was reached on the working set. It may rise; a change that lets it fall is a worse redactor.
const leastRecall = 0.98
const mostFalseAlarms = 2

/** Kinds that only the shared set has: they name a person or an account, and open nothing. */
const personalKinds: ReadonlySet<string> = new Set(['iban', 'ssn', 'personal-number', 'account-number'])

test('the strict set finds nearly all labelled secrets, of every kind, and hardly any look-alike', async () => {
  const { kinds, samples, found, lookAlikes, falseAlarms, missed } = await measuredRedaction((texts) => redact(texts, 'shared'))
  expect(samples).toBeGreaterThanOrEqual(320)
  expect(kinds.length).toBeGreaterThanOrEqual(40)
  expect(lookAlikes).toBeGreaterThanOrEqual(320)
  expect(found / samples, JSON.stringify(missed)).toBeGreaterThanOrEqual(leastRecall)
  expect(falseAlarms.length, JSON.stringify(falseAlarms)).toBeLessThanOrEqual(mostFalseAlarms)
  for (const { kind, samples, found } of kinds) expect(found / samples, kind).toBeGreaterThanOrEqual(0.8)
})

test('a model sees the numbers of persons and accounts, and nothing that opens something', async () => {
  const { kinds } = await measuredRedaction((texts) => redact(texts, 'model'))
  for (const { kind, samples, found } of kinds) {
    if (personalKinds.has(kind)) expect(found, kind).toBeLessThanOrEqual(samples / 4)
    else expect(found / samples, kind).toBeGreaterThanOrEqual(0.8)
  }
})

test('so it does on texts that those who made the rules did not see', async () => {
  const { found, samples, falseAlarms, lookAlikes } = await measuredRedaction((texts) => redact(texts, 'shared'), reportingSet())
  expect(found / samples).toBeGreaterThanOrEqual(0.9)
  expect(falseAlarms.length / lookAlikes).toBeLessThanOrEqual(0.01)
})

import { expect, test } from 'vitest'
import { StaleRevision } from './stale-revision.ts'
import { fromWire, toWire } from './wire.ts'

test('a stale revision says which one stands, and that another try on it can succeed, across threads too', () => {
  const error = new StaleRevision({ page: 'Bike', expected: 3, standing: 5 })
  expect(error.message).toBe(
    '"Bike" is at revision 5 by now; the edit was made on 3. Nothing was changed: read it again and edit what stands there.',
  )
  const other = new StaleRevision({ page: 'gist of talk', expected: 'Ab3', standing: 'none' })
  expect(other.message).toContain('is at version none by now; the edit was made on Ab3.')
  expect(fromWire(structuredClone(toWire(error)))).toMatchObject({
    code: 'STALE_REVISION',
    page: 'Bike',
    expected: 3,
    standing: 5,
    isRetryable: true,
    message: error.message,
  })
})

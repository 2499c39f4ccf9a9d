import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failuresPerMinute, RateLimits, usualPerMinute } from './rate-limits.ts'

describe('the rate limits of a server', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 5, 9) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('a key has its requests of a minute, then waits until the minute is over', async () => {
    const limits = new RateLimits()
    const key = { id: 'one', perMinute: 2 }
    expect(await limits.request(key)).toEqual({ ok: true, limit: 2, remaining: 1, resetMs: 60_000 })
    vi.advanceTimersByTime(10_000)
    expect(await limits.request(key)).toEqual({ ok: true, limit: 2, remaining: 0, resetMs: 50_000 })
    for (const _ of [1, 2])
      expect(await limits.request(key)).toEqual({ ok: false, limit: 2, remaining: 0, resetMs: 50_000, retryAfterMs: 50_000 })
    vi.advanceTimersByTime(50_000)
    expect(await limits.request(key)).toMatchObject({ ok: true, remaining: 1, resetMs: 60_000 })
  })

  test('a key without a bound has the usual one, and keys do not share it', async () => {
    const limits = new RateLimits()
    for (let one = 1; one < usualPerMinute; one += 1) await limits.request({ id: 'one' })
    expect(await limits.request({ id: 'one' })).toMatchObject({ ok: true, limit: usualPerMinute, remaining: 0 })
    expect(await limits.request({ id: 'one' })).toMatchObject({ ok: false })
    expect(await limits.request({ id: 'two' })).toMatchObject({ ok: true, remaining: usualPerMinute - 1 })
  })

  test('failed authentications are counted by network, IPv6 by its /64', async () => {
    const limits = new RateLimits()
    for (let one = 0; one < failuresPerMinute; one += 1) {
      expect(await limits.failuresLeft('2001:db8::1')).toMatchObject({ ok: true, remaining: failuresPerMinute - one })
      expect(await limits.failure(`2001:db8::${one.toString(16)}`)).toMatchObject({ ok: true })
    }
    expect(await limits.failuresLeft('2001:db8::ffff')).toMatchObject({ ok: false, retryAfterMs: 60_000 })
    expect(await limits.failure('2001:db8::ffff')).toMatchObject({ ok: false })
    expect(await limits.failure('2001:db8:0:1::1')).toMatchObject({ ok: true })
    vi.advanceTimersByTime(60_000)
    expect(await limits.failuresLeft('2001:db8::1')).toMatchObject({ ok: true })
  })

  test('what is counted is bounded, and takes no timer with it', async () => {
    const limits = new RateLimits({ most: 3, perMinute: 1 })
    for (let one = 0; one < 50; one += 1) {
      await limits.request({ id: String(one) })
      await limits.failure(`10.0.0.${one}`)
    }
    expect(limits.counted).toBe(6)
    expect(vi.getTimerCount()).toBe(6)
    // One that is in use stays.
    for (const id of ['49', 'a', '49', 'b', '49', 'c', '49', 'd']) await limits.request({ id })
    expect(await limits.request({ id: '49' })).toMatchObject({ ok: false })
  })

  test('a clock that is set back locks nobody out for longer', async () => {
    const limits = new RateLimits({ perMinute: 1 })
    await limits.request({ id: 'one' })
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(await limits.request({ id: 'one' })).toMatchObject({ ok: false, retryAfterMs: 60_000 })
    vi.advanceTimersByTime(60_000)
    expect(await limits.request({ id: 'one' })).toMatchObject({ ok: true })
  })
})

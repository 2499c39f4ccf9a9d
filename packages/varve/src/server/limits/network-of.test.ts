import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf } from './network-of.ts'

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::FFFF:10.1.2.3', '10.1.2.3'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4::/64'],
  ['1:2:3::4:5:6:7', '1:2:3:0::/64'],
  ['', 'unknown'],
  ['ferry', 'unknown'],
  ['1.2.3', 'unknown'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('addresses of one /64 are one network, others are not, and no text makes it throw', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  const half = fc.tuple(group, group, group, group).map((four) => four.join(':'))
  fc.assert(
    fc.property(half, half, half, half, (one, other, end, otherEnd) => {
      expect(networkOf(`${one}:${end}`)).toBe(networkOf(`${one}:${otherEnd}`))
      expect(networkOf(`${one}:${end}`) === networkOf(`${other}:${end}`)).toBe(one === other)
    }),
  )
  fc.assert(fc.property(fc.oneof(fc.ipV6(), fc.ipV4(), fc.string()), (address) => networkOf(address) !== ''))
})

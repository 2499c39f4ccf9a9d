import { isIPv4, isIPv6 } from 'node:net'

/** The groups of an IPv6 address that name its network: a provider gives each customer a /64 or more. */
const networkGroups = 4
const groups = 8

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Gives the network by which a remote address is counted: an IPv4 address, or the /64 of an IPv6 one, whose holder has 2⁶⁴
 * addresses. Anything else is counted together.
 */
export function networkOf(address: string): string {
  const [, inner] = mapped.exec(address) ?? []
  const plain = (inner ?? address).split('%')[0] ?? ''
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return 'unknown'
  const [head = '', tail = ''] = plain.toLowerCase().split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  // The last group of an address may be an IPv4 one, which takes two.
  const length = first.length + last.length + (plain.includes('.') ? 1 : 0)
  const whole = plain.includes('::') ? [...first, ...Array.from({ length: groups - length }, () => '0'), ...last] : first
  return `${whole
    .slice(0, networkGroups)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

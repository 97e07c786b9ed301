import { isIPv6 } from 'node:net'

/** The part of an address that stands for one customer: all of IPv4, also where it is written as IPv6, and a /64 of IPv6. */
export function addressKey(address: string): string {
  const text = address.toLowerCase()
  if (text.startsWith('::ffff:') && text.includes('.')) return text.slice('::ffff:'.length)
  if (!isIPv6(text)) return text
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...middle, ...right].slice(0, 4).map(withoutZeros).join(':')
}

function withoutZeros(group: string): string {
  return Number.parseInt(group, 16).toString(16)
}

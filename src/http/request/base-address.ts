import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { HttpSettings } from '../settings.ts'

/**
 * Where a client reaches the root of the server: scheme, host and path, without a slash at the end. Empty where the request does not
 * tell, so that addresses are from the root on; null where a proxy tells what cannot be.
 */
export type BaseAddress = (request: Pick<IncomingMessage, 'headers'>) => string | null

/** A host with or without a port (RFC 3986, 3.2.2), of which nothing can end a header or a link. */
const AUTHORITY = /^(?:[\w.\-~%!$&'()*+;=]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i
const PREFIX = /^(?:\/[\w.\-~%!$&'()*+;=:@]+)*$/

/** As the operator has set it; else as a proxy that is trusted tells it; else as the request has it. */
export function createBaseAddress({ publicUrl, trustProxy }: HttpSettings): BaseAddress {
  if (publicUrl !== '') return () => publicUrl
  return trustProxy ? ({ headers }) => forwardedBase(headers) : ({ headers }) => ownBase(headers)
}

function ownBase({ host }: IncomingHttpHeaders): string {
  return host !== undefined && AUTHORITY.test(host) ? `http://${host}` : ''
}

/** The headers of RFC 7239 and those that came before it, of which more proxies know. */
function forwardedBase(headers: IncomingHttpHeaders): string | null {
  const forwarded = forwardedPairs(lastOf(headers.forwarded) ?? '')
  const proto = lastOf(headers['x-forwarded-proto']) ?? forwarded.get('proto') ?? 'http'
  const host = lastOf(headers['x-forwarded-host']) ?? forwarded.get('host') ?? headers.host
  const prefix = (lastOf(headers['x-forwarded-prefix']) ?? '').replace(/\/$/, '')
  if (host === undefined) return ''
  const isTrue = /^https?$/i.test(proto) && AUTHORITY.test(host) && PREFIX.test(prefix)
  return isTrue ? `${proto.toLowerCase()}://${host}${prefix}` : null
}

/** What the proxy that is trusted has added comes last. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  )
}

/** `for=192.0.2.7;proto=https;host="lab.example:8443"` */
function forwardedPairs(element: string): ReadonlyMap<string, string> {
  const pairs = element.split(';').map((pair) => {
    const at = pair.indexOf('=')
    const value = pair.slice(at + 1).trim()
    return [pair.slice(0, at).trim().toLowerCase(), value.replace(/^"(.*)"$/, '$1')] as const
  })
  return new Map(pairs)
}

/** Refuses what a proxy tells of an address that cannot be: what follows from it would lead nowhere. */
export function unusableForwarding(): AppError {
  return new AppError(
    HTTP_ERRORS.malformedRequest,
    'The proxy does not tell where it was reached: Forwarded or X-Forwarded-Proto, -Host or -Prefix is not of that form.',
    {
      path: 'X-Forwarded-Host',
      hint: 'Such as X-Forwarded-Proto: https, X-Forwarded-Host: lab.example, X-Forwarded-Prefix: /quarry; or set publicUrl.',
    },
  )
}

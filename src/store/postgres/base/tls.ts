import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, rootCertificates } from 'node:tls'
import { AppError } from '../../../kernel/errors.ts'
import { STORE_ERRORS } from '../../errors.ts'

/** Modes of encryption, in the words of libpq: `sslmode` in the address of a database. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

/** TLS settings for the driver, and the address without its parameters for TLS. */
export interface Tls {
  readonly url: string
  readonly ssl: false | 'prefer' | 'require' | ConnectionOptions
  /** Whether it is certain who is at the other end: verified, or on this machine. */
  readonly isCertain: boolean
}

/**
 * Reads `sslmode` and `sslrootcert` as libpq does (PostgreSQL documentation, libpq, SSL support). With `verify-full` the certificate has to name
 * the host of the address; the driver alone would hold one of an IP address against "localhost".
 */
export function tlsOf(address: string): Tls {
  const url = new URL(address)
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '')
  const [asked, file] = [url.searchParams.get('sslmode'), url.searchParams.get('sslrootcert')]
  if (asked !== null && !isMode(asked)) throw unknownMode(asked)
  url.searchParams.delete('sslmode')
  url.searchParams.delete('sslrootcert')
  const rest = { url: url.href, isCertain: asked === 'verify-full' || isHere(host) }
  const mode = asked ?? (file === null ? 'prefer' : 'verify-full')
  if (host.startsWith('/') || mode === 'disable') return { ...rest, ssl: false }
  // With certificates to trust, libpq verifies whom it is asked to encrypt for.
  const isVerified = mode === 'verify-full' || mode === 'verify-ca' || (mode === 'require' && file !== null)
  if (!isVerified) return { ...rest, ssl: mode === 'require' ? 'require' : 'prefer' }
  return {
    ...rest,
    ssl: {
      ca: file === null || file === 'system' ? [...rootCertificates] : read(file),
      ...(isIP(host) > 0 ? {} : { servername: host }),
      checkServerIdentity: (_name, certificate) =>
        mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
    },
  }
}

function isMode(text: string): text is Mode {
  return (MODES as readonly string[]).includes(text)
}

function isHere(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const message = `The certificates that QUARRY_DATABASE_URL names cannot be read: ${(error as Error).message}.`
    throw new AppError(STORE_ERRORS.cannotOpen, message, { hint: 'Look at sslrootcert in it.' }, error)
  }
}

function unknownMode(mode: string): AppError {
  const message = `QUARRY_DATABASE_URL has "sslmode=${mode}", which is none of ${MODES.join(', ')}.`
  return new AppError(STORE_ERRORS.cannotOpen, message, { hint: 'Over a network, use sslmode=verify-full.' })
}

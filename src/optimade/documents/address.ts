/** The version of the specification that is spoken, and the address of the API below the server's. */
export const OPTIMADE_VERSION = '1.1.0'
export const OPTIMADE_ROOT = '/optimade'

/** First components below the root that name the version; without one, the preferred version answers. */
export const VERSION_SEGMENTS = ['v1', 'v1.1', 'v1.1.0'] as const

const LOOKS_LIKE_VERSION = /^v\d/

/** A request's address, taken apart. */
export interface OptimadeAddress {
  /** `/optimade/v1`, or `/optimade` for what is asked without a version. */
  readonly base: string
  /** What follows, with the query: `/structures?filter=nelements=2`. */
  readonly representation: string
  readonly isVersioned: boolean
}

/** Takes the target of a request below the root apart. */
export function optimadeAddress(target: string): OptimadeAddress {
  const [first] = segmentsOf(target)
  const isVersioned = (VERSION_SEGMENTS as readonly string[]).includes(first ?? '')
  const base = isVersioned ? `${OPTIMADE_ROOT}/${first}` : OPTIMADE_ROOT
  return { base, representation: target.slice(base.length), isVersioned }
}

/** Tells whether a target lies below the root of the OPTIMADE API. */
export function isOptimadeTarget(target: string): boolean {
  const next = target[OPTIMADE_ROOT.length]
  return target.startsWith(OPTIMADE_ROOT) && (next === undefined || next === '/' || next === '?')
}

/** The version that a target asks for when it is none that there is, else null. */
export function foreignOptimadeVersion(target: string): string | null {
  const [first = ''] = segmentsOf(target)
  const isKnown = (VERSION_SEGMENTS as readonly string[]).includes(first)
  return LOOKS_LIKE_VERSION.test(first) && !isKnown ? first : null
}

function segmentsOf(target: string): readonly string[] {
  return target.slice(OPTIMADE_ROOT.length + 1).split(/[/?]/)
}

import type { Narrowing } from './narrowing.ts'

/** The index cannot help: every document has to be checked. */
export const ANYTHING: Narrowing = { kind: 'all', exact: false }
/** Every document matches, and none has to be checked. */
export const EVERYTHING: Narrowing = { kind: 'all', exact: true }
/** No document can match. */
export const NOTHING: Narrowing = { kind: 'none', exact: true }

/** Joins what must all hold, leaving out what says nothing. */
export function allOf(parts: readonly Narrowing[]): Narrowing {
  const flat = parts.flatMap((part) => (part.kind === 'and' ? part.parts : [part]))
  if (flat.some((part) => part.kind === 'none')) return NOTHING
  const exact = flat.every((part) => part.exact) && parts.every((part) => part.exact)
  const telling = flat.filter((part) => part.kind !== 'all')
  if (telling.length === 0) return exact ? EVERYTHING : ANYTHING
  const [only] = telling
  if (only !== undefined && telling.length === 1) return exact ? only : inexact(only)
  return { kind: 'and', parts: telling, exact }
}

/** Joins what must hold in part; one part that says nothing makes the whole say nothing. */
export function anyOf(parts: readonly Narrowing[]): Narrowing {
  const flat = parts
    .flatMap((part) => (part.kind === 'or' ? part.parts : [part]))
    .filter((part) => part.kind !== 'none')
  if (flat.some((part) => part.kind === 'all')) {
    return flat.some((part) => part.kind === 'all' && part.exact) ? EVERYTHING : ANYTHING
  }
  const [only] = flat
  if (only === undefined) return NOTHING
  const exact = flat.every((part) => part.exact) && parts.every((part) => part.exact)
  if (flat.length === 1) return exact ? only : inexact(only)
  return { kind: 'or', parts: flat, exact }
}

/** Says the same, but asks for every candidate to be checked again. */
export function inexact(narrowing: Narrowing): Narrowing {
  if (narrowing.kind === 'none' || !narrowing.exact) return narrowing
  return { ...narrowing, exact: false }
}

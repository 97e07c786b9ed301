import { reading, useAnswer } from '../../api/use-answer.ts'
import { writes } from '../../app/undo.ts'
import type { Collection } from './collections.ts'

/** A field that records have, as the server knows it. */
export interface KnownField {
  readonly path: string
  readonly types: readonly string[]
  readonly count: number
  readonly min: number | null
  readonly max: number | null
  readonly title: string | null
  readonly unit: string | null
}

const NONE: readonly KnownField[] = []

/** The fields of the records that can be seen; null until they are there, or where they are not asked for. */
export function useFields({ name }: Collection, isAsked = true): readonly KnownField[] | null {
  const { data, error } = useAnswer<{ readonly fields: readonly KnownField[] }>(
    reading(isAsked ? `/${name}/fields` : null),
    writes.value,
  )
  if (error !== undefined) return NONE
  return data?.fields ?? null
}

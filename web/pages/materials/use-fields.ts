import type { Collection } from './collections.ts'
import { useAnswer } from './use-answer.ts'

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
  const answered = useAnswer<{ readonly fields: readonly KnownField[] }>(
    isAsked ? { method: 'GET', path: `/${name}/fields` } : null,
  )
  if (answered === null) return null
  return 'answer' in answered ? answered.answer.data.fields : NONE
}

import type { Effort } from './effort.ts'

/** The texts of records by their numbers, as the bytes that are sent. */
export interface DocumentTexts {
  /** Gives them one after the other, in the order of the numbers. */
  of(numbers: readonly number[], effort: Effort): Iterator<Buffer, void> & Iterable<Buffer>
  /** Total of their bytes. */
  lengthOf(numbers: readonly number[]): number
}

import { isOf } from '../../kernel/errors.ts'
import { STORE_ERRORS } from '../errors.ts'

// Faults of contents in words, each of which finishes a sentence: `The file … is missing`.

export const MISSING = 'is missing'
export const DAMAGED = 'is damaged: its bytes are not those that were stored'

/** Says why a content cannot be read. */
export function faultInWords(error: unknown): string {
  return isOf(STORE_ERRORS.fileMissing, error) ? MISSING : `cannot be read: ${(error as Error).message}`
}

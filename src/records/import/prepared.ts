import { AppError } from '../../kernel/errors.ts'
import type { Insert } from './prepare-insert.ts'

/** One record of an import on its way to the store, the one that is there in its place, or why it does not get there. */
export type Prepared =
  | { readonly insert: Insert }
  | { readonly present: { readonly collection: string; readonly id: string } }
  | { readonly refusal: AppError }

/** Waits for a preparation; a refusal is an outcome, anything else a fault. */
export async function prepared(insert: Promise<Insert>): Promise<Prepared> {
  try {
    return { insert: await insert }
  } catch (error) {
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}

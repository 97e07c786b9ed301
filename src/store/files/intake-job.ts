import type { FileContent } from '../port/file-store.ts'

/** What the thread does with the file of an upload, in the order of the jobs. Plain data, which goes to it. A ticket is of whoever began last. */
export type IntakeJob =
  /** Makes ready to go on at an offset: what is behind it goes, what is before it is summed up. */
  | { readonly kind: 'begin'; readonly path: string; readonly offset: number }
  | { readonly kind: 'write'; readonly ticket: number; readonly bytes: Uint8Array }
  /** Lets go of the file: it can be gone on with. */
  | { readonly kind: 'pause'; readonly ticket: number }
  /** Puts the whole file to where it stays: into the folder of contents, under its hash. */
  | { readonly kind: 'keep'; readonly path: string; readonly folder: string; readonly ticket: number | null }

export type IntakeOutcome =
  | { readonly begun: { readonly ticket: number; readonly size: number } }
  | { readonly size: number }
  | { readonly content: FileContent }
  /** Another request has begun with the same upload since. */
  | { readonly isOvertaken: true }
  | { readonly fault: { readonly code: string | null; readonly message: string } }

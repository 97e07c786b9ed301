/** One record of an import file as text, and where it starts; a fault when it cannot even be taken out of the file. */
export type ImportItem =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly fault: string }

/** What became of one record of an import. `skipped`: the account has it already. */
export interface ImportResult {
  readonly line: number
  readonly outcome: 'stored' | 'skipped' | 'refused'
  readonly collection?: string
  readonly _id?: string
  readonly error?: { readonly code: number; readonly message: string; readonly data: object }
}

/** How a plan was run, for `explain` and `Server-Timing`. */
export interface RunReport {
  /** Homes that were asked: the public one, and the asker's own. */
  readonly homes: number
  readonly segments: number
  /** Records that no segment held, each of which was looked at. */
  readonly tail: number
  /** Columns that were looked at, and those of them that had to be read from the database first. */
  readonly columns: number
  readonly loaded: number
  /** Rows of segments that columns alone told of, and those whose documents were read because columns could not tell. */
  readonly byColumn: number
  readonly byDocument: number
  /** Where it ran: what is at hand and short on the request thread, all else on a reader thread. */
  readonly thread: 'request' | 'reader'
  readonly milliseconds: number
  /** The same time by station: looking at homes, choosing the records, fetching their documents. */
  readonly stations: { readonly homes: number; readonly choose: number; readonly documents: number }
}

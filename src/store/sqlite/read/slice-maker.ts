/** Makes something of records, one after the other. */
export interface SliceMaker {
  readonly bytes: number
  add(n: number): void
  /** All that has been made. */
  take(): Uint8Array
}

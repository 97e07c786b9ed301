/** One file within an archive. */
export interface ArchiveEntry {
  /** As the archive has it; never a path to follow. */
  readonly name: string
  readonly size: number
  /** Null when the file is longer than was asked for. */
  readonly bytes: Uint8Array | null
}

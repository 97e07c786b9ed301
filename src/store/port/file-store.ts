import type { Reading } from '../../kernel/metrics.ts'

/** Content of a file. */
export type FileContent = {
  /** In hexadecimal digits, as it is named. */
  readonly sha256: string
  /** In bytes. */
  readonly size: number
  /** As archives have it: one of files is put together without looking into them. */
  readonly crc32: number
}

/** Part of a content, in bytes: from the first to before the last. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** Contents of files by their SHA-256, each kept once, whoever has it. What has been stored is on disk. */
export interface FileStore {
  /** Bytes of an upload that have arrived, in this run of the server or in one before; 0 where nothing is known of it. */
  arrived(upload: string): Promise<number>
  /** Takes bytes of an upload from an offset on, which must not be behind what has arrived; resolves with all that has arrived, whether or not the bytes broke off. */
  take(upload: string, offset: number, bytes: AsyncIterable<Uint8Array>): Promise<number>
  /** Makes a content of what has arrived. The upload is gone then. */
  keep(upload: string): Promise<FileContent>
  /** Lets go of what has arrived. */
  drop(upload: string): Promise<void>
  /** Size of a content; null where there is none. What is found is not collected for as long as the grace time. */
  find(sha256: string): Promise<number | null>
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>
  /** Gives a path at which the content can be read until `release` is called. */
  borrow(sha256: string): Promise<{ readonly path: string; release(): Promise<void> }>
  /** Contents that nothing has been done with for so long, in their order; and uploads that long without bytes are let go. */
  unusedFor(milliseconds: number): AsyncIterable<string>
  /** Removes a content, unless something was done with it for less than so long: then, and where there is none, null; else its bytes. */
  remove(sha256: string, unusedForMs: number): Promise<number | null>
  /** Tells what has been removed. */
  metrics(): readonly Reading[]
  close(): Promise<void>
}

/** A SHA-256 as it is written here. */
export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

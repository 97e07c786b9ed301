import type { AttachedFile } from '../attached-files.ts'
import type { RecordKind } from '../record-kind.ts'
import type { ExportPart } from './export-parts.ts'
import { type ExportManifest, manifestText, type RecordsFile } from './manifest.ts'

type RecordsOfExport = Extract<ExportPart, { readonly lines: unknown }>
type FileOfExport = Exclude<ExportPart, RecordsOfExport>

const NEWLINE = 0x0a

/** Counts what is exported, and gathers what its manifest says. */
export class ExportTally {
  readonly faults: string[] = []
  readonly #order: readonly string[]
  readonly #records: RecordsFile[] = []
  readonly #onProgress: (bytes: number) => void
  #files = { count: 0, bytes: 0 }

  /** Kinds in the order in which their records are imported; `onProgress` hears the bytes of files so far. */
  constructor(kinds: readonly RecordKind[], onProgress: (bytes: number) => void = () => {}) {
    this.#order = kinds.map(({ collection }) => collection)
    this.#onProgress = onProgress
  }

  get counts(): { readonly records: number; readonly files: number; readonly bytes: number } {
    const records = this.#records.reduce((sum, { count }) => sum + count, 0)
    return { records, files: this.#files.count, bytes: this.#files.bytes }
  }

  /** Passes the lines of a file of records on, and counts them. */
  async *records({ name, collection, lines }: RecordsOfExport): AsyncGenerator<Uint8Array> {
    let count = 0
    for await (const line of lines) {
      if (line.at(-1) === NEWLINE) count += 1
      yield line
    }
    this.#records.push({ file: name, collection, count })
  }

  file({ size }: AttachedFile): void {
    this.#files = { count: this.#files.count + 1, bytes: this.#files.bytes + size }
    this.#onProgress(this.#files.bytes)
  }

  /** Notes a file that is not exported; the fault finishes a sentence. */
  fault({ owner, file }: FileOfExport, fault: string): void {
    const name = JSON.stringify(file.name)
    this.faults.push(`The file ${name} of record ${owner.id} of ${owner.collection} ${fault} (content ${file.sha256}).`)
  }

  manifest(): string {
    const placeOf = ({ collection }: RecordsFile) => this.#order.indexOf(collection)
    const records = this.#records.toSorted((one, other) => placeOf(one) - placeOf(other))
    const manifest: ExportManifest = { records, files: this.#files, faults: this.faults }
    return manifestText(manifest)
  }
}

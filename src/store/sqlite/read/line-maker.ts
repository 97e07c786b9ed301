import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { projectionOf } from './page-documents.ts'
import type { Reader } from './reader.ts'
import type { SliceMaker } from './slice-maker.ts'

/** Makes a line of NDJSON of each record, or of what the plan's fields leave of it. */
export class LineMaker implements SliceMaker {
  bytes = 0
  readonly #textOf: (n: number) => string
  readonly #lines: string[] = []

  constructor(reader: Reader, plan: QueryPlan) {
    this.#textOf = projectionOf(reader, plan)
  }

  add(n: number): void {
    const line = this.#textOf(n)
    this.#lines.push(line, '\n')
    this.bytes += line.length
  }

  take(): Uint8Array {
    return Buffer.from(this.#lines.join(''))
  }
}

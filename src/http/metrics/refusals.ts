import type { AppError } from '../../kernel/errors.ts'

/** Counts refusals by the code of the error, wherever they are answered. */
export class Refusals {
  readonly #byCode = new Map<number, number>()

  get byCode(): ReadonlyMap<number, number> {
    return this.#byCode
  }

  note({ code }: AppError): void {
    this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1)
  }
}

import { STATUS_CODES } from 'node:http'
import type { JsonObject } from '../../kernel/json.ts'
import { reference } from './schemas.ts'

/**
 * What many operations have in common, written once: kinds of records have the same parameters, and everything can fail in the same ways. The
 * description would be twice as long without.
 */
export class SharedParts {
  readonly #parameters = new Map<string, JsonObject>()
  readonly #names = new Map<string, string>()
  readonly #responses = new Map<string, JsonObject>()

  /** A parameter by reference; two that differ have different names here, whatever they are called. */
  parameter(parameter: JsonObject & { readonly name: string }): JsonObject {
    const text = JSON.stringify(parameter)
    let name = this.#names.get(text)
    if (name === undefined) {
      name = this.#freeName(parameter.name)
      this.#names.set(text, name)
      this.#parameters.set(name, parameter)
    }
    return { $ref: `#/components/parameters/${name}` }
  }

  /** The answer with a status that says no, by reference. */
  failure(status: number): JsonObject {
    const description = STATUS_CODES[status] ?? 'Failure'
    const name = description.replaceAll(/\W/g, '')
    this.#responses.set(name, { description, content: { 'application/json': { schema: reference('Fault') } } })
    return { $ref: `#/components/responses/${name}` }
  }

  /** What references lead to. */
  components(): JsonObject {
    return { parameters: Object.fromEntries(this.#parameters), responses: Object.fromEntries(this.#responses) }
  }

  #freeName(wanted: string): string {
    let name = wanted
    for (let n = 2; this.#parameters.has(name); n++) name = `${wanted}-${n}`
    return name
  }
}

import { equalJson, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../../../kernel/json.ts'
import type { UnusedElements } from './unused-elements.ts'
import { type ElementReader, type Tag, textOf } from './xml-elements.ts'
import { valueIn } from './xml-values.ts'

/** Characters of all values together; a list of moments of 10,000 atoms has 500,000. */
const MOST_CHARACTERS = 8 * 1024 * 1024
const MOST_PARAMETERS = 5000

/** Values by name, of a section of values (`i`, `v`) in groups (`separator`). */
export class RunParameters {
  readonly #values: Record<string, Json> = {}
  readonly #path: string
  readonly #unused: UnusedElements
  #count = 0
  #length = 0

  /** Takes the name of the section, and where what it does not take is kept. */
  constructor(path: string, unused: UnusedElements) {
    this.#path = path
    this.#unused = unused
  }

  get values(): JsonObject {
    return this.#values
  }

  /** Reader of the section. */
  reader(): ElementReader {
    return this.#group(null)
  }

  #group(name: string | null): ElementReader {
    return {
      within: (tag) => {
        const { name: given = '' } = tag.attributes
        if (tag.name === 'separator') return this.#group(given)
        if ((tag.name !== 'i' && tag.name !== 'v') || given === '') return this.#unused.reader(tag, [this.#path])
        return textOf(
          (text) => this.#take(tag, text, name),
          (inner) => this.#unused.reader(inner, [this.#path, given]),
        )
      },
      end: () => {},
    }
  }

  /** Takes a value. The first one of a name is it: what groups behind say of it otherwise is kept by their own name. */
  #take(tag: Tag, text: string, group: string | null): void {
    const { name = '' } = tag.attributes
    this.#count++
    this.#length += text.length
    if (this.#count > MOST_PARAMETERS || this.#length > MOST_CHARACTERS) {
      this.#unused.add([this.#path, name], tag, text)
      return
    }
    const value = valueIn(tag, text)
    const first = ownField(this.#values, name)
    if (first === undefined) setOwnField(this.#values, name, value)
    else if (!equalJson(first, value)) this.#takeOther(name, value, group)
  }

  #takeOther(name: string, value: Json, group: string | null): void {
    const known = group === null ? undefined : ownField(this.#values, group)
    if (group === null || (known !== undefined && !isJsonObject(known))) {
      this.#unused.keep([this.#path, `${name} again`], value)
      return
    }
    setOwnField(this.#values, group, { ...known, [name]: value })
  }
}

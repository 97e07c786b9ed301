import type { Rest } from '../../crystal.ts'
import { saysSomething, valueOfText } from './rest.ts'

/** What a text says under keywords that no reader uses. */
export class UnusedLines {
  readonly #texts = new Map<string, string[]>()
  readonly #ofAtoms = new Map<string, number>()

  /** Takes what stands behind a keyword; of one that is there again, all is kept. */
  add(keyword: string, text: string): void {
    const texts = this.#texts.get(keyword)
    if (texts === undefined) this.#texts.set(keyword, [text])
    else texts.push(text)
  }

  /** Takes what is said of one atom, which a record has no place for; what is 0 says nothing. */
  ofAtom(keyword: string, text: string): void {
    if (!saysSomething(text.trim().split(/\s+/).map(valueOfText))) return
    this.#ofAtoms.set(keyword, (this.#ofAtoms.get(keyword) ?? 0) + 1)
  }

  /** All of it, by the keywords. */
  get rest(): Rest {
    return {
      values: Object.fromEntries(
        [...this.#texts].map(([keyword, texts]) => {
          const text = texts.join('\n')
          return [keyword, text === '' ? true : valueOfText(text)]
        }),
      ),
      leftOut: [...this.#ofAtoms].map(([keyword, count]) => `${keyword} (${count})`),
    }
  }
}

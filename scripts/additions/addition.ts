/**
 * A kind of change that is made again and again, with every place that it touches. docs/architecture/additions.md has them as tables. A test makes an
 * example of each in a copy of the project, once whole and once without each of its places, and sees who notices.
 */
export interface Addition {
  /** `a query operator`. */
  readonly what: string
  /** What is worth knowing before; a sentence or two. */
  readonly about?: string
  readonly places: readonly Place[]
}

/** One place that the change touches. */
export interface Place {
  /** A file, or the form of its name: `src/http/routes/NOUN.ts`. */
  readonly where: string
  /** What goes there. */
  readonly write: string
  /**
   * The example's part of it; `npm run docs` writes what is `generated`. `NAME` stands for small letters and `XX` for two digits that no other example
   * has, in file names too.
   */
  readonly example: readonly Edit[] | 'generated'
  /** Who notices that it was left out. */
  readonly noticedBy: Notice
}

/** Text that is put into a file: behind a text that the file has once, else at its end. A file that is not there is made. */
export interface Edit {
  readonly file: string
  readonly after?: string
  readonly put: string
}

/** What fails, and a part of what it says. Both may have `NAME`. */
export type Notice =
  | { readonly by: 'types'; readonly file: string; readonly says: string }
  | { readonly by: 'dead code'; readonly says: string }
  | { readonly by: 'test'; readonly file: string; readonly named: string; readonly says: string }

/** Stands for the letters of an example. */
export const NAME = /NAME/g
/** Stands for its digits, where a code is to be a number. */
export const DIGITS = /XX/g

/** Puts an example's letters and digits into a text. */
export function named(text: string, letters: string, digits: string): string {
  return text.replaceAll(NAME, letters).replaceAll(DIGITS, digits)
}

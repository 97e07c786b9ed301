/** URL of a file that comes with the program. The project's directory is two levels up from this source and from each folder of `dist`. */
export function projectFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url)
}

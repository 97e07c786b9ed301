/**
 * URL of a file that comes with the program and is no part of it: `package.json`, the samples, the guides. The project's directory is two levels
 * up from this source, and from the files of each folder of `dist` alike.
 */
export function projectFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url)
}

const LONGEST_BYTES = 255

/** Says what is wrong with the name of a file, which becomes a path when files are unpacked elsewhere; null where nothing is. */
export function faultOfFileName(name: string): string | null {
  if (name === '') return 'it is empty'
  if (new TextEncoder().encode(name).length > LONGEST_BYTES) return `it has more than ${LONGEST_BYTES} bytes`
  if (!name.isWellFormed() || /[\p{Cc}\\:*?"<>|]/u.test(name))
    return 'it has a character that names of files do not have everywhere'
  if (name.split('/').some((part) => part === '' || part === '.' || part === '..' || part !== part.trim())) {
    return 'a part of it is empty, a dot, two dots, or begins or ends with a space'
  }
  return null
}

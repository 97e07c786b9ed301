/** PostgreSQL keeps no text with the character 0: nothing is found under one, and it is not asked for it. */
export function isKept(text: string): boolean {
  return !text.includes('\0')
}

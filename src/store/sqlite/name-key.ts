/** The form in which names and e-mails are compared: without regard to case or to how accents are composed. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** What people call an account: an organization may have a title. */
export function calledBy({ name, title }: { readonly name: string; readonly title?: string | null }): string {
  return title ?? name
}

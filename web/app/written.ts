/** The page of the reference that the document came with as HTML; null where it came with none. */
export const written = document.querySelector<HTMLElement>('#page .docs')

/** Its title. */
export const writtenTitle = document.title.replace(/ · Quarry$/, '')

const { pathname, search } = location

/** Tells whether an address of the reference is that of the document that is there; else the browser has to fetch another. */
export function isWrittenHere(href: string): boolean {
  const asked = new URL(href, location.href)
  return written !== null && asked.pathname === pathname && asked.search === search
}

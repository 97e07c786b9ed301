const KEY = 'quarry.columns'

/** Columns that were chosen in the list of a collection, as the address has them; empty where none were. */
export function keptColumns(collection: string): string {
  try {
    return localStorage.getItem(`${KEY} ${collection}`) ?? ''
  } catch {
    return ''
  }
}

/** Shows these columns in the collection from now on, in this browser; a browser that keeps nothing shows them now. */
export function keepColumns(collection: string, columns: string): void {
  try {
    if (columns === '') localStorage.removeItem(`${KEY} ${collection}`)
    else localStorage.setItem(`${KEY} ${collection}`, columns)
  } catch {}
}

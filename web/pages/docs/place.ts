/** Goes to what the address names behind `#`: the browser looked for it before it was there. Tells whether it is there. */
export function showPlace(): boolean {
  const place = namedPlace()
  const target = place === '' ? null : document.getElementById(place)
  target?.scrollIntoView()
  return target !== null
}

/** What the address names behind `#`. */
export function namedPlace(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

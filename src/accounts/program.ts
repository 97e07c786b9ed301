/** What browsers call themselves among all that they say they are like; the first that is found is the one. */
const BROWSERS: readonly (readonly [mark: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chromium/', 'Chromium'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const SYSTEMS: readonly (readonly [mark: string, name: string])[] = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

/** Of a header that may be long. */
const LOOKED_AT = 400
/** Of what a program calls itself. */
const MOST_CHARACTERS = 60

/** What a session is called of whose program nothing is known. */
const NAMELESS = 'login'

/**
 * Names the program that sends a `User-Agent`, so that its user knows it again in a list: `Firefox on Linux`, `python-requests 2.32`. It may say
 * whatever it likes: nothing else depends on it.
 */
export function programOf(userAgent: string | undefined): string {
  const told = (userAgent ?? '').slice(0, LOOKED_AT)
  const browser = told.startsWith('Mozilla/') ? findIn(BROWSERS, told) : null
  if (browser !== null) {
    const system = findIn(SYSTEMS, told)
    return system === null ? browser : `${browser} on ${system}`
  }
  const product = /^[\w.+-]+(?:\/[\w.+-]+)?/.exec(told)?.[0] ?? ''
  return product === '' ? NAMELESS : product.replace('/', ' ').slice(0, MOST_CHARACTERS)
}

function findIn(marks: typeof BROWSERS, text: string): string | null {
  return marks.find(([mark]) => text.includes(mark))?.[1] ?? null
}

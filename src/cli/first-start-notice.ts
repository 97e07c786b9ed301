import type { FirstUser } from '../app/first-start.ts'

const RULE = '-'.repeat(78)
const EXAMPLE_QUERY = 'query=%7B%22formula%22%3A%22Si%22%7D'

/**
 * Writes what the first user must know, once. The lines have no frame at their sides, so that they can be copied.
 */
export function firstStartNotice(url: string, user: FirstUser): string {
  const headers = [`X-Account-Id: ${user.accountId}`, `X-Auth-Token: ${user.token}`]
  const options = headers.map((header) => `-H '${header}'`).join(' ')
  return [
    RULE,
    'First start. This is shown once and kept nowhere: copy what you need.',
    '',
    `  address   ${url}`,
    `  user      ${user.name}`,
    `  password  ${user.password}`,
    `  account   ${user.accountId}`,
    `  token     ${user.token}`,
    '',
    'Try it:',
    `curl ${options} '${url}/api/2018-10-01/materials?${EXAMPLE_QUERY}'`,
    RULE,
  ].join('\n')
}

/** The address to use from this machine when the server listens on all of its interfaces. */
export function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

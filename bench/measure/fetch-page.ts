/** Asks for one page and throws its documents away; gives the cursor of the page that follows, null behind the last. */
export async function fetchPage(
  port: number,
  target: string,
  headers: { readonly [name: string]: string },
): Promise<{ readonly next: string | null }> {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${target} answered ${response.status}`)
  return { next: response.headers.get('x-next-cursor') }
}

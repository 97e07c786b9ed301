import { ensurePage } from '../../scripts/build-page.mjs'

/** Servers of tests serve the page as it is built. */
export async function setup(): Promise<void> {
  await ensurePage()
}

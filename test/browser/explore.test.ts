import { it } from 'vitest'
import { PASSWORD, startServer } from '../http/support/live-server.ts'
import { expectSound, launchChromium, newWindow, watchedPage } from './support/chromium.ts'

it('explores', async () => {
  const [server, browser] = await Promise.all([startServer({ symmetry: true }), launchChromium()])
  for (const look of [
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 390 },
  ] as const) {
    const window = await newWindow(browser, look)
    const watched = await watchedPage(window, server.origin)
    const { page } = watched
    page.on('response', (r) => {
      if (r.status() >= 400) console.log('HTTP', r.status(), r.request().method(), r.url())
    })
    await page.goto(`${server.origin}/`)
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
    await page.goto(`${server.origin}/import`)
    const shot = async (name: string) =>
      page.screenshot({ path: `/tmp/c1-shots/${name}-${look.theme}-${look.width}.png`, fullPage: true })
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a folder' }).click(),
    ])
    await chooser.setFiles('/tmp/qs/samples-calculations')
    await page.getByRole('table').waitFor()
    await page.waitForTimeout(2500)
    await page.getByRole('button', { name: /^Details of .*silicon-hse/ }).click()
    await shot('preview')
    console.log(await page.locator('main').innerText())
    await expectSound(watched).catch((e) => console.log('UNSOUND', JSON.stringify(e.actual)))
    const store = page.getByRole('button', { name: /^Store \d/ })
    if (await store.count()) {
      await store.click()
      await page.waitForTimeout(3500)
    }
    await shot('done')
    console.log(await page.locator('main').innerText())
    await expectSound(watched).catch((e) => console.log('UNSOUND', JSON.stringify(e.actual)))
    await window.close()
  }
  await browser.close()
  await server.close()
}, 120000)

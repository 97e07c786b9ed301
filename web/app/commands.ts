import { type PageName, pagePath } from '../../src/page/addresses.ts'
import { focusSearch, windowShown } from './keys.ts'
import { type Command, pageCommands } from './page-commands.ts'
import { NAVIGATION, PAGES } from './pages.ts'
import { recent } from './recent.ts'
import { address, navigate } from './router.tsx'
import { me, signOut } from './session.ts'
import { chooseTheme, THEMES, theme } from './theme.ts'

/** All that can be chosen now: first what the page offers, then where one can go, then the rest. */
export function allCommands(): readonly Command[] {
  const isSignedIn = me.value !== null && me.value !== undefined
  const pages: readonly PageName[] = isSignedIn ? [...NAVIGATION, 'account', 'docs'] : ['docs']
  return [
    ...pageCommands.value,
    ...pages.filter((page) => page !== address.value?.page).map(goTo),
    ...(isSignedIn ? recent.value : []).map(
      ({ path, title }): Command => ({ title, group: 'Recent', run: () => navigate(path) }),
    ),
    { title: 'Search', group: 'Help', key: '/', run: focusSearch },
    { title: 'Keyboard shortcuts', group: 'Help', key: '?', run: () => showShortcuts() },
    ...THEMES.filter((one) => one !== theme.value).map(
      (one): Command => ({ title: `Theme: ${one}`, group: 'Theme', run: () => chooseTheme(one) }),
    ),
    ...(isSignedIn ? [{ title: 'Log out', group: 'Session', run: () => void signOut() } as const] : []),
  ]
}

function goTo(page: PageName): Command {
  return { title: PAGES[page].title, group: 'Go to', run: () => navigate(pagePath(page)) }
}

function showShortcuts(): void {
  windowShown.value = 'shortcuts'
}

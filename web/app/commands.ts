import { type PageName, pagePath } from '../../src/page/addresses.ts'
import { type Kind, manyOf } from '../schema/kind.ts'
import { focusSearch, windowShown } from './keys.ts'
import { otherKinds } from './more-kinds.tsx'
import { type Command, pageCommands } from './page-commands.ts'
import { NAVIGATION, PAGES } from './pages.ts'
import { recent } from './recent.ts'
import { address, navigate } from './router.tsx'
import { me, signOut } from './session.ts'
import { chooseTheme, THEMES, theme } from './theme.ts'

type Place = (typeof NAVIGATION)[number]

/** All that can be chosen now: first what the page offers, then where one can go, then the rest. */
export function allCommands(kinds: readonly Kind[]): readonly Command[] {
  const here = address.value === null ? null : pagePath(address.value.page, address.value.at)
  const isSignedIn = me.value !== null && me.value !== undefined
  const places = isSignedIn
    ? [
        ...NAVIGATION,
        ...otherKinds(kinds).map((kind) => [`/${kind.collection}`, manyOf(kind)] as const),
        pageOf('account'),
      ]
    : []
  return [
    ...pageCommands.value,
    ...[...places, pageOf('docs')].filter(([path]) => path !== here).map(goTo),
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

function pageOf(page: PageName): Place {
  return [pagePath(page), PAGES[page].title]
}

function goTo([path, title]: Place): Command {
  return { title, group: 'Go to', run: () => navigate(path) }
}

function showShortcuts(): void {
  windowShown.value = 'shortcuts'
}

import { useEffect, useRef } from 'preact/hooks'
import { pagePath } from '../../src/page/addresses.ts'
import { late } from '../parts/late.tsx'
import { Mark } from '../parts/mark.tsx'
import { Menu } from '../parts/menu.tsx'
import { calledBy } from './called-by.ts'
import { windowShown } from './keys.ts'
import { NAVIGATION, PAGES } from './pages.ts'
import { address, Link } from './router.tsx'
import { chooseAccount, chosenAccount, type Me, me, signOut } from './session.ts'
import { chooseTheme, THEMES, theme } from './theme.ts'

const MoreKinds = late(async () => (await import('./more-kinds.tsx')).MoreKinds)

/** The bar at the top: where one can go, and who one is. */
export function Bar() {
  const known = me.value
  const nav = useRef<HTMLElement>(null)
  const current = address.value
  useEffect(() => {
    // On a phone not all of them have room.
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (link) nav.current?.scrollTo({ left: link.offsetLeft - nav.current.offsetLeft - 40 })
  }, [current, known])
  return (
    <header class="bar">
      <Link class="brand" to="/" aria-label="Quarry">
        <Mark />
        <span class="brand-name">Quarry</span>
      </Link>
      <nav ref={nav} aria-label="Pages">
        {known ? (
          NAVIGATION.map(([path, title]) => (
            <PlaceLink key={path} path={path}>
              {title}
            </PlaceLink>
          ))
        ) : (
          <PageLink page="docs" />
        )}
      </nav>
      <Link class="bar-help" to={pagePath('guide', { name: 'use-the-page' })}>
        Help
      </Link>
      {known && (
        <Menu label="More">
          <MoreKinds />
        </Menu>
      )}
      <Menu label={known ? known.user.entity.name : 'Theme'}>
        {known && <AccountPart me={known} />}
        <ThemeChoice />
        <WindowButtons />
        {known && (
          <button type="button" onClick={() => void signOut()}>
            Log out
          </button>
        )}
      </Menu>
    </header>
  )
}

function PlaceLink({ path, children }: { readonly path: string; readonly children: string }) {
  const current = address.value
  const isCurrent = current !== null && pagePath(current.page, current.at).replace(/^\/$/, '/materials') === path
  return (
    <Link to={path} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </Link>
  )
}

function PageLink({ page }: { readonly page: keyof typeof PAGES }) {
  return <PlaceLink path={pagePath(page)}>{PAGES[page].title}</PlaceLink>
}

function AccountPart({ me }: { readonly me: Me }) {
  const current = chosenAccount.value ?? me.user.entity.defaultAccountId
  return (
    <>
      {me.accounts.length > 1 && (
        <label class="field">
          Act in the account
          <select onChange={({ currentTarget }) => chooseAccount(currentTarget.value)}>
            {me.accounts.map(({ entity }) => (
              <option key={entity._id} value={entity._id} selected={entity._id === current}>
                {calledBy(entity)}
              </option>
            ))}
          </select>
        </label>
      )}
      <PageLink page="removed" />
      <PageLink page="account" />
      <PageLink page="docs" />
    </>
  )
}

/** For those who do not know the keys yet. */
function WindowButtons() {
  const open = (shown: 'commands' | 'shortcuts') => () => {
    windowShown.value = shown
  }
  return (
    <>
      <button type="button" onClick={open('commands')}>
        Commands
      </button>
      <button type="button" onClick={open('shortcuts')}>
        Keyboard shortcuts
      </button>
    </>
  )
}

function ThemeChoice() {
  return (
    <fieldset class="choice">
      <legend>Theme</legend>
      {THEMES.map((one) => (
        <label key={one}>
          <input type="radio" name="theme" checked={theme.value === one} onChange={() => chooseTheme(one)} />
          {one}
        </label>
      ))}
    </fieldset>
  )
}

import { useEffect, useState } from 'preact/hooks'
import type { PageAddress, PageName } from '../../src/page/addresses.ts'
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { late } from '../parts/late.tsx'
import { RefusalBox } from '../parts/refusal-box.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { UndoBar } from '../parts/undo-bar.tsx'
import { announce, announced } from './announce.ts'
import { Bar } from './bar.tsx'
import { PAGES, type PageView } from './pages.ts'
import { address } from './router.tsx'
import { me } from './session.ts'
import { Windows } from './windows.tsx'

const TaskBar = late(async () => (await import('../parts/task-bar.tsx')).TaskBar)

/** What is around every page: the bar, the content, and what is told to those who do not see. */
export function Shell() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Bar />
      <main id="main" tabIndex={-1}>
        <Content />
      </main>
      <UndoBar />
      {me.value && <TaskBar />}
      <div id="announcements" class="unseen" role="status">
        {announced.value}
      </div>
      <Windows />
    </>
  )
}

function Content() {
  const shown = address.value
  const isOpen = shown !== null && PAGES[shown.page].isOpen === true
  if (me.value === undefined && !isOpen) return <Skeleton />
  if (me.value === null && !isOpen) return <SignInPage />
  if (shown === null) return <NotFoundPage />
  // Another record is another page; another question to the same list is not.
  const page = shown.page === 'home' ? 'materials' : shown.page
  return <Shown key={`${page} ${Object.values(shown.at)}`} address={shown} />
}

function Shown({ address }: { readonly address: PageAddress }) {
  const { title } = PAGES[address.page]
  const View = useView(address.page)
  useEffect(() => {
    document.title = `${title} · Quarry`
    announce(title)
    takeFocus()
  }, [title])
  if (View instanceof Error) return <RefusalBox error={View} />
  return View === null ? <Skeleton /> : <View address={address} />
}

/** The view of a page; null while its file is on the way, an error where it does not come. */
function useView(page: PageName): PageView | null | Error {
  const { view, isLate } = PAGES[page]
  const [loaded, setLoaded] = useState<PageView | null | Error>(null)
  useEffect(() => {
    if (!isLate) return
    ;(view as () => Promise<PageView>)().then(
      (one) => setLoaded(() => one),
      () => setLoaded(new Error('A part of this page did not come. Reload the page.')),
    )
  }, [view, isLate])
  return isLate ? loaded : (view as PageView)
}

/** What had the focus is gone with the page before: the new one begins with its content, unless it has said otherwise. */
function takeFocus(): void {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body)
    document.getElementById('main')?.focus({ preventScroll: true })
}

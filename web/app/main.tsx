import '../theme/tokens.css'
import '../theme/base.css'
import { render } from 'preact'
import { takeFilesAnywhere } from './handed-over.ts'
import { beginKeys } from './keys.ts'
import { beginRouting } from './router.tsx'
import { beginSession, findSession, me } from './session.ts'
import { Shell } from './shell.tsx'
import { beginTheme } from './theme.ts'

beginTheme()
beginSession()
beginRouting()
beginKeys()
takeFilesAnywhere()
if (me.value === undefined) void findSession()
const page = document.getElementById('page') as HTMLElement
page.replaceChildren()
// A browser asks for the icon anew at other addresses, where a relative link means something else.
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
icon?.setAttribute('href', icon.href)
render(<Shell />, page)

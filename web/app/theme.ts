import { computed, effect, signal } from '@preact/signals'

/** What a person may choose; `system` is what the machine says. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'quarry.theme'
const isDark = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(isDark.matches)

export const theme = signal<Theme>(kept())

/** The one that is shown. */
export const shownTheme = computed<'light' | 'dark'>(() =>
  theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value) ? 'dark' : 'light',
)

/** Shows the chosen theme from now on. */
export function beginTheme(): void {
  isDark.addEventListener('change', ({ matches }) => {
    systemIsDark.value = matches
  })
  effect(() => {
    document.documentElement.dataset['theme'] = shownTheme.value
  })
}

/** A browser that keeps nothing for the page still changes its looks. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  try {
    if (chosen === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, chosen)
  } catch {}
}

function kept(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'system'
  } catch {
    return 'system'
  }
}

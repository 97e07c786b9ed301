/** What had the focus is about to go: once it has, the content of the page has it, unless something else took it. */
export function focusContent(): void {
  requestAnimationFrame(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  })
}

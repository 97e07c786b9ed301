/** Lines of the icons, in a square of 16. */
const PATHS: Readonly<Record<string, string>> = {
  materials: 'M8 1.5 14 5v6l-6 3.5L2 11V5Z M2 5l6 3.5L14 5 M8 8.5v6',
  jobs: 'M2 3.5h12v9H2Z M4.5 6.5 7 8.5l-2.5 2 M8.5 10.5h3',
  properties: 'M2 2v12h12 M4.5 11l3-4 2.5 2 3.5-5',
  methods: 'M2 4.5h7 M12 4.5h2 M9 2.5h3v4H9Z M2 11.5h2 M7 11.5h7 M4 9.5h3v4H4Z',
}

/** What kind of record it is, for the eye. */
export function KindIcon({ collection }: { readonly collection: string }) {
  return (
    <svg class="kind-icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[collection] ?? 'M3 2h10v12H3Z'} />
    </svg>
  )
}

/** The sign of Quarry; drawn here, so that it needs no request of its own. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" focusable="false">
      <path fill="#0b6b63" d="M16 2 29 9.5v13L16 30 3 22.5v-13z" />
      <path fill="#3fb8a9" d="M16 2 29 9.5 16 17 3 9.5z" />
      <path fill="#138c80" d="M16 17v13L3 22.5v-13z" />
    </svg>
  )
}

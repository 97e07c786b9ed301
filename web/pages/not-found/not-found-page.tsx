import { Link } from '../../app/router.tsx'

export function NotFoundPage() {
  return (
    <section>
      <h1>There is no such page</h1>
      <Link to="/materials">To the materials</Link>
    </section>
  )
}

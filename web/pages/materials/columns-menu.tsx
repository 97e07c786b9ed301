import { late } from '../../parts/late.tsx'
import { Menu } from '../../parts/menu.tsx'
import type { ColumnsChoiceProps } from './columns-choice.tsx'

const ColumnsChoice = late(async () => (await import('./columns-choice.tsx')).ColumnsChoice)

/** Any field that records have, as a column. */
export function ColumnsMenu(props: ColumnsChoiceProps) {
  return (
    <Menu label="Columns">
      <ColumnsChoice {...props} />
    </Menu>
  )
}

import { ID_ALPHABET, ID_LENGTH } from '../../kernel/ids.ts'
import type { Spelling } from '../../query/warnings/field-guide.ts'

/** As the server makes them. */
const ID = new RegExp(`^[${ID_ALPHABET}]{${ID_LENGTH}}$`)

/** Tells whether a value could be an id that the server gave. */
export function isGivenId(value: unknown): boolean {
  return typeof value === 'string' && ID.test(value)
}

/** How ids look: those of other databases are none, unless an imported record has brought one. */
export function spellId(path: string, text: string): Spelling | null {
  if (isGivenId(text)) return null
  const hint =
    path === '_id'
      ? 'Records of other databases are found by what is in them: {"formula":"Si"}.'
      : 'For the account of a user write {"owner.slug":"ada"}.'
  return {
    fault: `is no id as this server gives them, ${ID_LENGTH} letters and digits, and no record that you can see has it`,
    right: null,
    hint,
  }
}

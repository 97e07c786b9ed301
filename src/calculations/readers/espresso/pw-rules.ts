import { ATOM_RULES } from './pw-atom-rules.ts'
import { ELECTRON_RULES } from './pw-electron-rules.ts'
import { HEAD_RULES } from './pw-head-rules.ts'
import type { PwRule, Rules } from './pw-rule.ts'
import { STRUCTURE_RULES } from './pw-structure-rules.ts'

/** Rules by the first letter of their words. */
const BY_LETTER: ReadonlyMap<string, Rules> = grouped()

function grouped(): ReadonlyMap<string, Rules> {
  const groups = new Map<string, Rules>()
  for (const entry of [...HEAD_RULES, ...STRUCTURE_RULES, ...ELECTRON_RULES, ...ATOM_RULES]) {
    const letter = entry[0].charAt(0)
    groups.set(letter, [...(groups.get(letter) ?? []), entry])
  }
  return groups
}

/** The rule for a line, which has no spaces around it. */
export function ruleFor(text: string): PwRule | undefined {
  return BY_LETTER.get(text.charAt(0))?.find(([prefix]) => text.startsWith(prefix))?.[1]
}

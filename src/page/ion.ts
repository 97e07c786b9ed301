import { SYMBOLS } from './elements.ts'
import { ionText } from './ion-text.ts'

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX']
const NUMBER = '\\d{1,2}(?:\\.\\d{1,4})?'
/** `Fe3+` and `Fe+3`, both signs alone too; what is a number without a sign would be a formula. */
const SIGN_LAST = new RegExp(`^([A-Z][a-z]?)\\^?(${NUMBER})?([+-])$`)
const SIGN_FIRST = new RegExp(`^([A-Z][a-z]?)\\^?([+-])(${NUMBER})$`)
const IN_ROMAN = /^([A-Z][a-z]?)(-?)([IVX]{1,4})$/

/** Reads an element with its oxidation state however it is written: Fe3+, Fe+3, Fe(III), Fe³⁺, Fe^{3+}; null for what is none. */
export function readIon(text: string): string | null {
  const plain = text
    .replaceAll(/[⁰¹²³⁴-⁹]/g, (digit) => String(SUPERSCRIPTS.indexOf(digit)))
    .replaceAll('⁺', '+')
    .replaceAll(/[⁻−–]/g, '-')
  // A number in brackets would be a formula.
  const bare = plain
    .replaceAll(/[\s{}]|<\/?sup>/g, '')
    .replace(/^([A-Z][a-z]?)\(([^()]*[+\-IVX])\)$|^([A-Z][a-z]?)\(([+-][^()]*)\)$/, '$1$3$2$4')
  const last = SIGN_LAST.exec(bare)
  if (last !== null) return checked(last[1], `${last[3]}${last[2] ?? '1'}`)
  const first = SIGN_FIRST.exec(bare)
  if (first !== null) return checked(first[1], `${first[2]}${first[3]}`)
  const roman = plain.includes('(') ? IN_ROMAN.exec(bare) : null
  const number = ROMAN.indexOf(roman?.[3] ?? '')
  return roman === null || number < 1 ? null : checked(roman[1], `${roman[2]}${number}`)
}

function checked(element: string | undefined, oxidationState: string): string | null {
  return element !== undefined && SYMBOLS.has(element) ? ionText(element, Number(oxidationState)) : null
}

import { defineFigures, type Reading } from '../kernel/figures.ts'
import type { AccountDeps } from './deps.ts'

export const ACCOUNT_FIGURES = defineFigures({
  passwordsUnderWay: {
    name: 'quarry_passwords_under_way',
    kind: 'gauge',
    title: 'Passwords that are being computed, or wait for it.',
  },
})

export function accountFigures({ passwords }: AccountDeps): readonly Reading[] {
  return [[ACCOUNT_FIGURES.passwordsUnderWay, passwords.underWay]]
}

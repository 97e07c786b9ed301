import { defineMetrics, type Reading } from '../kernel/metrics.ts'
import type { AccountDeps } from './deps.ts'

export const ACCOUNT_METRICS = defineMetrics({
  passwordsUnderWay: {
    name: 'quarry_passwords_under_way',
    kind: 'gauge',
    title: 'Passwords that are being computed, or wait for it.',
  },
})

export function accountMetrics({ passwords }: AccountDeps): readonly Reading[] {
  return [[ACCOUNT_METRICS.passwordsUnderWay, passwords.underWay]]
}

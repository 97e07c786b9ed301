import type { UserRow } from '../store/port/account-store.ts'

/** A user without anything secret. */
export type UserSummary = Omit<UserRow, 'passwordHash'>

/** Leaves the password hash behind. */
export function summarizeUser({ passwordHash: _, ...user }: UserRow): UserSummary {
  return user
}

/** How much of the audit is kept. */
export interface AuditBounds {
  readonly days: number
  readonly rows: number
}

export const DEFAULT_AUDIT_BOUNDS: AuditBounds = { days: 365, rows: 5_000_000 }

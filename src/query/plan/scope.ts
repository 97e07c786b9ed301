/**
 * Which records an asker may see. A plan cannot be made without one.
 * `account`: the account's own records, and public ones. `public`: public ones only. `operator`: all, for the person who
 * holds the data directory (CLI), never for a request.
 */
export type Scope =
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'public' }
  | { readonly kind: 'operator' }

/** A name that no other scope has, for whoever keeps something by scope. No account has an id with parentheses, or with a space. */
export function scopeName(scope: Scope): string {
  return scope.kind === 'account' ? scope.accountId : `(${scope.kind})`
}

/** What was looked at is not there any more as it was: whoever asked begins anew. */
export class Outdated extends Error {}

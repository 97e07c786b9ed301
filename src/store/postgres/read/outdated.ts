/** Error of a read whose state is gone by now: the question begins anew. */
export class Outdated extends Error {}

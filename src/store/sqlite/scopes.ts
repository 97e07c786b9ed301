/** The scope of public records; every other scope is an owner's number. */
export const PUBLIC_SCOPE = 0
/** The change counter that counts every change. */
export const EVERY_SCOPE = -1

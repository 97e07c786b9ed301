/** The home of public records; every other home is that of the owner with its number. */
export const PUBLIC_HOME = 0

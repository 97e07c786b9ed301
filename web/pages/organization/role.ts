export type Role = 'owner' | 'administrator' | 'member'

/** Whether somebody may take people in and let them go. */
export function mayManage(role: Role): boolean {
  return role !== 'member'
}

/** The roles that somebody with a role may give to a member; empty where it may not be changed. An owner there is always exactly one. */
export function rolesToGive(mine: Role, theirs: Role, isMyself: boolean): readonly Role[] {
  if (theirs === 'owner' || isMyself) return []
  if (mine === 'owner') return ['member', 'administrator', 'owner']
  return mine === 'administrator' ? ['member', 'administrator'] : []
}

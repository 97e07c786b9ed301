/** The item of a list at an index that is known to be there; throws when it is not, so that nothing goes on with a gap. */
export function itemAt<Item>(list: readonly Item[], index: number): Item {
  const item = list[index]
  if (item === undefined) throw new RangeError(`there is no item ${index} in a list of ${list.length}`)
  return item
}

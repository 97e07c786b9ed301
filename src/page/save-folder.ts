/** Tells the folder that pw.x makes for itself: what is in it is of the run beside it. */
export function isSaveFolder(path: string): boolean {
  return /(?:^|\/)[^/]*\.save$/.test(path)
}

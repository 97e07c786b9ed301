/** Milliseconds that this process spends on a processor while it does something: a machine that is busy with other things makes them no more. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

// Steps of the other scripts, each of which says that it goes on.
import { say, seconds } from './command.mjs'

/** How often a step that goes on says so. */
const TELL_MS = 10_000

/** Runs one step and prints its name, its end and its time; and now and then that it goes on. */
export async function runStep(name, run) {
  const started = Date.now()
  const telling = setInterval(() => say(`…      ${name} (${seconds(Date.now() - started)})`), TELL_MS)
  const result = await run().finally(() => clearInterval(telling))
  if (!result.ok && result.output) say(result.output.trimEnd())
  say(`${result.ok ? 'ok    ' : 'FAILED'} ${name} (${seconds(Date.now() - started)})`)
  return result
}

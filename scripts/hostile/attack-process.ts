/** Makes one attack until it is told to stop; started by `attacker.ts` with the name of the attack and its aim. */
import { setPriority } from 'node:os'
import type { Aim } from './attacker.ts'
import { ATTACKS } from './attacks.ts'
import { Crowd } from './crowd.ts'

const LOWEST_PRIORITY = 19

const [name, aim] = process.argv.slice(2)
const attack = ATTACKS.find((one) => one.name === name)
if (attack === undefined || aim === undefined) throw new Error('attack-process is started by attacker.ts')
setPriority(LOWEST_PRIORITY)
const crowd = new Crowd(JSON.parse(aim) as Aim)
await attack.begin(crowd)
process.send?.('begun')
process.on('message', () => process.send?.(crowd.outcome))

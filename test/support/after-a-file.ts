import { afterAll } from 'vitest'
import { endHosts } from './cli.ts'

/** What a file has started goes with it, though its process goes on with the next one. */
afterAll(endHosts)

import type { Mutant } from './mutant.ts'

const FEED = 'src/http/response/change-feed.ts'
const STREAM = 'src/http/response/change-feed.ts'
const FEEDS = { tests: ['test/http/change-feed.test.ts'], project: 'sqlite' }
const EVENTS = { tests: ['test/http/events.test.ts'], project: 'sqlite' }

/** Mistakes in what streams of events tell, and in what is let go when nobody listens any more. */
export const EVENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'the feed goes on asking for scopes that nobody listens to',
    file: FEED,
    find: '      if (watched.listeners.size === 0) this.#watched.delete(name)\n',
    replace: '',
    ...FEEDS,
  },
  {
    name: 'when one of two listeners goes the other one hears nothing any more',
    file: FEED,
    find: 'if (watched.listeners.size === 0) this.#watched.delete(name)',
    replace: 'if (watched.listeners.size <= 1) this.#watched.delete(name)',
    ...FEEDS,
  },
  {
    name: 'the feed asks for ever for somebody who could not begin to listen',
    file: FEED,
    find: '      end()\n      throw error',
    replace: '      throw error',
    ...FEEDS,
  },
  {
    name: 'the feed looks on when nobody listens',
    file: FEED,
    find: '      if (this.#watched.size === 0) this.close()\n',
    replace: '',
    ...FEEDS,
  },
  {
    name: 'a closed feed looks on',
    file: FEED,
    find: '    if (this.#timer !== null) clearInterval(this.#timer)\n',
    replace: '',
    ...FEEDS,
  },
  {
    name: 'a store that fails once is never asked again',
    file: FEED,
    find: 'await Promise.allSettled(',
    replace: 'await Promise.all(',
    ...FEEDS,
  },
  {
    name: 'the same change is told at every look',
    file: FEED,
    find: '    watched.counter = counter\n    watched.marks = marks\n',
    replace: '',
    ...FEEDS,
  },
  {
    name: 'those who look at the same are asked for each by themselves',
    file: FEED,
    find: 'const name = scopeName(scope)',
    replace: 'const name = `${scopeName(scope)} ${Math.random()}`',
    ...FEEDS,
  },
  {
    name: 'a stream that has ended listens on',
    file: STREAM,
    find: "    signal.removeEventListener('abort', stop)\n    end()\n",
    replace: "    signal.removeEventListener('abort', stop)\n",
    ...FEEDS,
  },
  {
    name: 'streams tell of what is in no list',
    file: STREAM,
    find: 'if (isTold(name)) heard.add(name)',
    replace: 'heard.add(name)',
    ...EVENTS,
  },
  {
    name: 'a stream goes on when its session is over',
    file: STREAM,
    find: 'if (signal.aborted || !(await mayGoOn())) return',
    replace: 'if (signal.aborted || !mayGoOn()) return',
    ...EVENTS,
  },
]

import { defineMetrics } from '../kernel/metrics.ts'

export const HTTP_METRICS = defineMetrics({
  requests: {
    name: 'quarry_http_requests_total',
    kind: 'counter',
    title: 'Answers, by route and class of status (`2xx`). HEAD counts with GET, other names of an address with it.',
    labels: ['method', 'route', 'status'],
  },
  durations: {
    name: 'quarry_http_request_duration_seconds',
    kind: 'histogram',
    title: 'Time from the head of a request to the end of its answer, by route.',
    labels: ['method', 'route'],
  },
  refusals: {
    name: 'quarry_http_refusals_total',
    kind: 'counter',
    title: 'Requests that were refused, by the code of the error.',
    labels: ['code'],
  },
  processes: {
    name: 'quarry_processes',
    kind: 'gauge',
    title: 'Processes of the server that have answered with their numbers.',
  },
  answering: { name: 'quarry_http_answering', kind: 'gauge', title: 'Requests that are being answered.' },
  longTurns: {
    name: 'quarry_event_loop_long_turns_total',
    kind: 'counter',
    title: 'Turns of the event loop that took more than 50 ms of processor time: nobody was answered meanwhile.',
  },
  longTurnSeconds: {
    name: 'quarry_event_loop_long_turns_cpu_seconds_total',
    kind: 'counter',
    title: 'Processor time of those turns.',
  },
  turnsWaiting: { name: 'quarry_http_waiting', kind: 'gauge', title: 'Requests that wait for the turn of their user.' },
  turnsWaited: {
    name: 'quarry_http_waited_total',
    kind: 'counter',
    title: 'Requests that had to wait for the turn of their user.',
  },
  held: {
    name: 'quarry_http_held',
    kind: 'gauge',
    title:
      'What requests hold that there is so much of and no more: bytes of bodies and answers, places of exports and imports.',
    labels: ['what'],
  },
  heldRefused: {
    name: 'quarry_http_held_refused_total',
    kind: 'counter',
    title: 'Requests that wanted more of it than there was.',
    labels: ['what'],
  },
  quotaRefused: {
    name: 'quarry_http_quota_refused_total',
    kind: 'counter',
    title: 'Requests that were beyond a quota of their user, by quota: `requests`, `cpu`.',
    labels: ['quota'],
  },
  answers: {
    name: 'quarry_answer_cache_total',
    kind: 'counter',
    title:
      'Answers that may be remembered, by whether they were and still true (`found`) or had to be made (`missed`).',
    labels: ['outcome'],
  },
  answerBytes: { name: 'quarry_answer_cache_bytes', kind: 'gauge', title: 'Memory of answers that are remembered.' },
  lists: {
    name: 'quarry_known_lists_total',
    kind: 'counter',
    title: 'Look-ups of lists that were asked before, by whether they were remembered.',
    labels: ['outcome'],
  },
  utilization: {
    name: 'nodejs_eventloop_utilization',
    kind: 'gauge',
    title: 'Share of time in which the request thread worked, since it was last asked for.',
    together: 'average',
  },
})

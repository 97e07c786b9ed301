import { KERNEL_FIGURES, type Reading } from '../../kernel/figures.ts'
import type { Log } from '../../kernel/log.ts'
import type { Turns } from '../../kernel/turns.ts'
import type { Held } from '../bounds/held.ts'
import { NO_QUOTA_REFUSED, type Quotas } from '../bounds/quotas.ts'
import { HTTP_FIGURES } from '../figures.ts'
import type { RequestCaches } from '../response/request-caches.ts'
import type { LongTurns } from './long-turns.ts'
import type { Admission } from './request-listener.ts'

/** Parts of the HTTP side with figures. */
export interface HttpParts {
  readonly admission: Admission
  readonly held: Held
  readonly log: Log
  readonly caches: RequestCaches
  readonly longTurns: LongTurns
  readonly quotas: Quotas | null
  readonly refusals: ReadonlyMap<number, number>
  readonly turns: Turns
}

/** Reads what the HTTP side tells of itself. */
export function httpFigures(parts: HttpParts): readonly Reading[] {
  const { admission, held, log, caches, longTurns, quotas, refusals, turns } = parts
  const { responses, lists } = caches
  const { bytes, exports, imports } = held
  const shares = Object.entries({ bytes, exports, imports })
  return [
    [HTTP_FIGURES.refusals, [...refusals].map(([code, count]) => [String(code), count] as const)],
    [HTTP_FIGURES.processes, 1],
    [HTTP_FIGURES.answering, admission.answering],
    [HTTP_FIGURES.turnsWaiting, turns.waiting],
    [HTTP_FIGURES.turnsWaited, turns.waited],
    [HTTP_FIGURES.held, shares.map(([what, share]) => [what, share.held] as const)],
    [HTTP_FIGURES.heldRefused, shares.map(([what, { refused }]) => [what, refused.own + refused.all] as const)],
    [HTTP_FIGURES.quotaRefused, Object.entries(quotas?.refused ?? NO_QUOTA_REFUSED)],
    [HTTP_FIGURES.answers, Object.entries(responses.figures)],
    [HTTP_FIGURES.answerBytes, responses.bytes],
    [HTTP_FIGURES.lists, Object.entries(lists.figures)],
    ...longTurns.figures,
    [KERNEL_FIGURES.events, log.counts],
  ]
}

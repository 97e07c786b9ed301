import { bankKindOf, isBanked } from '../../records/work/bank.ts'
import type { RequestCaches } from '../fast-lane/request-caches.ts'
import type { Route } from '../route.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { countRecordsRoutes, listRecordsRoute, searchRecordsRoute } from './list-records.ts'
import { copyRoute, getRecordRoute } from './records.ts'
import { surveyRoutes } from './surveys.ts'

/** Banks are read and copied from; what is in them follows from which records are public. */
export function bankRoutes(services: HttpServices, settings: HttpSettings, caches: RequestCaches): readonly Route[] {
  return services.kinds.filter(isBanked).flatMap((kind) => {
    const bankKind = bankKindOf(kind)
    return [
      listRecordsRoute(services, settings, caches, bankKind),
      searchRecordsRoute(services, settings, bankKind),
      ...countRecordsRoutes(services, settings, bankKind),
      ...surveyRoutes(services, settings, caches, bankKind),
      getRecordRoute(services, bankKind),
      copyRoute(services, kind, bankKind),
    ]
  })
}

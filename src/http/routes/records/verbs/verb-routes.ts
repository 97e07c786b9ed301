import type { RecordKind } from '../../../../records/record-kind.ts'
import type { Route } from '../../../route.ts'
import type { HttpServices } from '../../../services.ts'
import { copyRoute } from './copy.ts'
import { defaultRoutes } from './default.ts'
import { historyRoute } from './history.ts'
import { removedRoutes } from './removed.ts'
import { setRoutes } from './sets.ts'

/** What can be done with records of a kind beyond creating, reading, changing and deleting them. */
export function verbRoutes(services: HttpServices, kind: RecordKind): readonly Route[] {
  return [
    copyRoute(services, kind),
    ...defaultRoutes(services, kind),
    ...setRoutes(services, kind),
    historyRoute(services, kind),
    ...removedRoutes(services, kind),
  ]
}

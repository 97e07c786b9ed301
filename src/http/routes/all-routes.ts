import { materialKind } from '../../records/kinds/material/material-kind.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { bankKindOf, bankKinds, isBanked } from '../../records/work/bank.ts'
import { createBaseAddress } from '../exchange/head.ts'
import type { Route } from '../exchange/route.ts'
import { openApiDocument, schemasOf } from '../openapi/document.ts'
import { createPageSession, createSessionCache } from '../request/authenticate.ts'
import { createRequestCaches, type RequestCaches } from '../response/response-cache.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { accountRoutes } from './accounts.ts'
import { buildStructureRoute } from './build-structure.ts'
import { bulkChangeEntryRoutes } from './bulk-change-entries.ts'
import { bulkChangeRoutes } from './bulk-changes.ts'
import { bulkImportRoute, exportRecordsRoute } from './bulk-records.ts'
import { crystalRoutes } from './crystals.ts'
import { defaultRoutes } from './default.ts'
import { distinctRoutes } from './distinct.ts'
import { openApiRoute, schemaRoute, schemasRoute } from './documents.ts'
import { type EventParts, eventsRoute } from './events.ts'
import { exportMaterialRoute, exportMaterialsRoute } from './export-materials.ts'
import { fileRoutes } from './files.ts'
import { probeRoutes } from './health.ts'
import { historyRoute, removedRoutes } from './history.ts'
import { importCalculationsRoutes } from './import-calculations.ts'
import { importMaterialsRoute } from './import-materials.ts'
import { jobFileRoutes } from './job-files.ts'
import { otherRoutes, submitJobRoute } from './jobs.ts'
import { likeMaterialsRoutes } from './like-materials.ts'
import { countRecordsRoutes, listRecordsRoute, searchRecordsRoute } from './list-records.ts'
import { memberRoutes } from './members.ts'
import { optimadeRoutes } from './optimade.ts'
import { pageSessionRoutes } from './page-session.ts'
import { pageRoutes } from './pages.ts'
import { phaseDiagramRoute } from './phase-diagram.ts'
import { pictureRoute } from './pictures.ts'
import { provenanceRoute } from './provenance.ts'
import { copyRoute, createRecordRoutes, deleteRecordRoute, getRecordRoute, updateRecordRoute } from './records.ts'
import { changePasswordRoute, logInRoute, logOutRoutes, showMeRoute } from './session.ts'
import { setRoutes } from './sets.ts'
import { convertStructureRoute } from './structures.ts'
import { surveyRoutes } from './surveys.ts'
import { createTokenRoute, endOtherSessionsRoute, listTokensRoute, revokeTokenRoute } from './tokens.ts'

/** Banks are read and copied from; what is in them follows from which records are public. */
function bankRoutes(services: HttpServices, settings: HttpSettings, caches: RequestCaches): readonly Route[] {
  return services.kinds.filter(isBanked).flatMap((kind) => {
    const bankKind = bankKindOf(kind)
    return [
      listRecordsRoute(services, caches, bankKind),
      searchRecordsRoute(services, settings, bankKind),
      ...countRecordsRoutes(services, settings, bankKind),
      ...surveyRoutes(services, settings, caches, bankKind),
      ...distinctRoutes(services, settings, caches, bankKind),
      getRecordRoute(services, settings, caches, bankKind),
      copyRoute(services, kind, bankKind),
    ]
  })
}

/** Routes of a kind of record beyond creating, reading, changing and deleting. */
function verbRoutes(services: HttpServices, kind: RecordKind): readonly Route[] {
  return [
    copyRoute(services, kind),
    ...defaultRoutes(services, kind),
    ...setRoutes(services, kind),
    historyRoute(services, kind),
    provenanceRoute(services, kind),
    ...removedRoutes(services, kind),
  ]
}

/** Parts that routes share with the rest of the server. */
export interface SharedParts extends EventParts {
  readonly caches: RequestCaches
}

function ownParts(services: HttpServices, settings: HttpSettings): SharedParts {
  return {
    caches: createRequestCaches(settings),
    page: createPageSession(createBaseAddress(settings)),
    sessions: createSessionCache(services.accounts),
    closing: new AbortController().signal,
  }
}

/** Lists everything that the server answers; the server, its description and its refusals are made from this list. */
export function allRoutes(
  services: HttpServices,
  settings: HttpSettings,
  { caches, page, sessions, closing }: SharedParts = ownParts(services, settings),
): readonly Route[] {
  const served = [...services.kinds, ...bankKinds(services.kinds)]
  const routes: Route[] = [
    logInRoute(services),
    ...logOutRoutes(services),
    ...pageSessionRoutes(services, page),
    createTokenRoute(services),
    listTokensRoute(services),
    revokeTokenRoute(services),
    endOtherSessionsRoute(services),
    showMeRoute(services),
    changePasswordRoute(services),
    ...accountRoutes(services),
    ...memberRoutes(services),
    ...services.kinds.flatMap((kind) => [
      listRecordsRoute(services, caches, kind),
      searchRecordsRoute(services, settings, kind),
      ...countRecordsRoutes(services, settings, kind),
      ...surveyRoutes(services, settings, caches, kind),
      ...distinctRoutes(services, settings, caches, kind),
      bulkImportRoute(services, settings, kind),
      // Materials have an export of their own, with structure files.
      ...(kind === materialKind ? [] : [exportRecordsRoute(services, settings, kind)]),
      ...createRecordRoutes(services, settings, kind),
      getRecordRoute(services, settings, caches, kind),
      updateRecordRoute(services, settings, kind),
      deleteRecordRoute(services, kind),
      ...bulkChangeRoutes(services, settings, kind),
      ...verbRoutes(services, kind),
      ...fileRoutes(services, kind),
    ]),
    ...bankRoutes(services, settings, caches),
    ...bulkChangeEntryRoutes(services),
    eventsRoute(services, { sessions, page, closing }),
    importMaterialsRoute(services, settings),
    exportMaterialsRoute(services, settings),
    exportMaterialRoute(services),
    pictureRoute(services),
    ...likeMaterialsRoutes(services, settings),
    phaseDiagramRoute(services, caches),
    convertStructureRoute(services),
    buildStructureRoute(services),
    ...crystalRoutes(services),
    submitJobRoute(services),
    ...jobFileRoutes(services),
    ...importCalculationsRoutes(services),
    ...otherRoutes(services),
    schemasRoute(services.kinds),
    ...services.kinds.map(schemaRoute),
    openApiRoute(() => JSON.stringify(openApiDocument(routes, served))),
    ...probeRoutes(services),
    ...optimadeRoutes(services, settings, caches),
    ...pageRoutes(services.kinds, () => ({ routes, kinds: services.kinds, schemas: schemasOf(served) })),
  ]
  return routes
}

import { materialKind } from '../../records/kinds/material/material-kind.ts'
import { createMemory, type Memory } from '../fast-lane/memory.ts'
import { openApiDocument } from '../openapi/document.ts'
import type { Route } from '../route.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { accountRoutes } from './accounts/accounts.ts'
import { memberRoutes } from './accounts/members.ts'
import { bankKinds, bankRoutes } from './bank/bank-routes.ts'
import { openApiRoute } from './documents/openapi-route.ts'
import { schemaRoute } from './documents/schema-route.ts'
import { probeRoutes } from './health/probes.ts'
import { submitJobRoute } from './jobs/submit-job.ts'
import { exportMaterialRoute } from './materials/export-material.ts'
import { exportMaterialsRoute } from './materials/export-materials.ts'
import { importMaterialsRoute } from './materials/import-materials.ts'
import { optimadeRoutes } from './optimade/optimade-routes.ts'
import { otherRoutes } from './other/other-routes.ts'
import { bulkImportRoute } from './records/bulk-import.ts'
import { countRecordsRoutes } from './records/count-records.ts'
import { createRecordRoutes } from './records/create-record.ts'
import { deleteRecordRoute } from './records/delete-record.ts'
import { exportRecordsRoute } from './records/export-records.ts'
import { getRecordRoute } from './records/get-record.ts'
import { listRecordsRoute } from './records/list-records.ts'
import { searchRecordsRoute } from './records/search-records.ts'
import { updateRecordRoute } from './records/update-record.ts'
import { verbRoutes } from './records/verbs/verb-routes.ts'
import { logInRoute } from './session/log-in.ts'
import { logOutRoutes } from './session/log-out.ts'
import { analyzeStructureRoute } from './structures/analyze-structure.ts'
import { convertStructureRoute } from './structures/convert-structure.ts'
import { createTokenRoute } from './tokens/create-token.ts'
import { listTokensRoute } from './tokens/list-tokens.ts'
import { revokeTokenRoute } from './tokens/revoke-token.ts'
import { showMeRoute } from './users/show-me.ts'
import { pageRoutes } from './web/page-routes.ts'

/** Lists everything that the server answers; the server, its description and its refusals are made from this list. */
export function allRoutes(
  services: HttpServices,
  settings: HttpSettings,
  memory: Memory = createMemory(settings),
): readonly Route[] {
  const routes: Route[] = [
    logInRoute(services),
    ...logOutRoutes(services),
    createTokenRoute(services),
    listTokensRoute(services),
    revokeTokenRoute(services),
    showMeRoute(services),
    ...accountRoutes(services),
    ...memberRoutes(services),
    ...services.kinds.flatMap((kind) => [
      listRecordsRoute(services, settings, memory, kind),
      searchRecordsRoute(services, settings, kind),
      ...countRecordsRoutes(services, settings, kind),
      bulkImportRoute(services, kind),
      // Materials have an export of their own, with structure files.
      ...(kind === materialKind ? [] : [exportRecordsRoute(services, settings, kind)]),
      ...createRecordRoutes(services, settings, kind),
      getRecordRoute(services, kind),
      updateRecordRoute(services, settings, kind),
      deleteRecordRoute(services, kind),
      ...verbRoutes(services, kind),
    ]),
    ...bankRoutes(services, settings, memory),
    importMaterialsRoute(services, settings),
    exportMaterialsRoute(services, settings),
    exportMaterialRoute(services),
    convertStructureRoute(services),
    analyzeStructureRoute(services),
    submitJobRoute(services),
    ...otherRoutes(services),
    ...services.kinds.map(schemaRoute),
    openApiRoute(() => JSON.stringify(openApiDocument(routes, [...services.kinds, ...bankKinds(services.kinds)]))),
    ...probeRoutes(services),
    ...optimadeRoutes(services, settings),
    ...pageRoutes(),
  ]
  return routes
}

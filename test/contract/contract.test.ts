import { afterAll, describe, expect, it } from 'vitest'
import { loadCases } from '../support/load-cases.ts'
import { missingPostgres } from '../support/postgres.ts'
import { endServers, TARGETS } from '../support/targets.ts'
import { accountStoreContract } from './account-store.contract.ts'
import { answersContract } from './answers.contract.ts'
import { auditContract } from './audit.contract.ts'
import { fieldKnowledgeContract } from './field-knowledge.contract.ts'
import { languageContract } from './language.contract.ts'
import { recordHistoryContract } from './record-history.contract.ts'
import { recordStoreContract } from './record-store.contract.ts'
import { storeContract } from './store.contract.ts'

afterAll(endServers)

const cases = await loadCases()

for (const target of TARGETS) {
  recordStoreContract(target)
  recordHistoryContract(target)
  fieldKnowledgeContract(target)
  accountStoreContract(target)
  auditContract(target)
  answersContract(target)
  storeContract(target)
  languageContract(target, cases)
}

const missing = missingPostgres()

describe.skipIf(missing !== null && process.env['CI'] === undefined)(
  `PostgreSQL${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('is there to be tested', () => {
      expect(missing).toBeNull()
    })
  },
)

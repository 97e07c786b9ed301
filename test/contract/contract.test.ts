import { loadCases } from '../support/load-cases.ts'
import { TARGETS } from '../support/targets.ts'
import { accountStoreContract } from './account-store.contract.ts'
import { auditContract } from './audit.contract.ts'
import { fieldKnowledgeContract } from './field-knowledge.contract.ts'
import { languageContract } from './language.contract.ts'
import { recordHistoryContract } from './record-history.contract.ts'
import { recordStoreContract } from './record-store.contract.ts'
import { storeContract } from './store.contract.ts'

const cases = await loadCases()

for (const target of TARGETS) {
  recordStoreContract(target)
  recordHistoryContract(target)
  fieldKnowledgeContract(target)
  accountStoreContract(target)
  auditContract(target)
  storeContract(target)
  languageContract(target, cases)
}

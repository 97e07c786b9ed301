import { loadCases } from '../support/load-cases.ts'
import { TARGET } from '../support/targets.ts'
import { accountStoreContract } from './account-store.contract.ts'
import { answersContract } from './answers.contract.ts'
import { auditContract } from './audit.contract.ts'
import { derivedFieldsContract } from './derived-fields.contract.ts'
import { fieldKnowledgeContract } from './field-knowledge.contract.ts'
import { languageContract } from './language.contract.ts'
import { namedFilesContract } from './named-files.contract.ts'
import { recordHistoryContract } from './record-history.contract.ts'
import { recordStoreContract } from './record-store.contract.ts'
import { storeContract } from './store.contract.ts'

recordStoreContract(TARGET)
recordHistoryContract(TARGET)
derivedFieldsContract(TARGET)
fieldKnowledgeContract(TARGET)
namedFilesContract(TARGET)
accountStoreContract(TARGET)
auditContract(TARGET)
answersContract(TARGET)
storeContract(TARGET)
languageContract(TARGET, await loadCases())

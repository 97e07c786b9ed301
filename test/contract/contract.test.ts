import { TARGETS } from '../support/targets.ts'
import { accountStoreContract } from './account-store.contract.ts'
import { recordStoreContract } from './record-store.contract.ts'
import { storeContract } from './store.contract.ts'

for (const target of TARGETS) {
  recordStoreContract(target)
  accountStoreContract(target)
  storeContract(target)
}

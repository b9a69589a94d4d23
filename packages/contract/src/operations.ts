import { ACCOUNT_OPERATIONS } from './account-operations.ts'
import { CUSTOMER_OPERATIONS } from './customer-operations.ts'
import { ERASURE_OPERATIONS } from './erasure.ts'
import { EXPLAIN_OPERATIONS } from './explain-operations.ts'
import { MONEY_OPERATIONS } from './money-operations.ts'
import type { Operation } from './operation.ts'
import { PORTAL_OPERATIONS } from './portal-operations.ts'
import { PROCESSOR_OPERATIONS } from './processor-operations.ts'
import { PROGRAM_OPERATIONS } from './program-operations.ts'
import { TRACKING_OPERATIONS } from './tracking-operations.ts'

/** Every call there is. */
export const OPERATIONS: Operation[] = [
  ...TRACKING_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...PROGRAM_OPERATIONS,
  ...MONEY_OPERATIONS,
  ...EXPLAIN_OPERATIONS,
  ...PROCESSOR_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...PORTAL_OPERATIONS,
  ...ERASURE_OPERATIONS,
]

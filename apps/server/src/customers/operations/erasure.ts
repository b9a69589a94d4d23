import { ERASURE } from '@tributary/contract/declared'
import { runs } from '../../platform/runs.ts'
import { redactInbox } from '../../processor/redact-inbox.ts'
import { eraseCustomer } from '../../tracking/erase-customer.ts'

/** Erases a customer's personal data (GDPR). */
export const erasure = ({ hashKey }: { hashKey: string }) =>
  runs(
    ERASURE,
    {},
    {
      erase: ({ tx, program, clock, audit, body: { customerKey, clickId = '' } }) => {
        const customer = customerKey === undefined ? { clickId } : { customerKey }
        return eraseCustomer(tx, { clock, hashKey, audit, redactMessages: redactInbox }, { program, ...customer })
      },
    },
  )

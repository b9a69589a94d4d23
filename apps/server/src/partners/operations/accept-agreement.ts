import type { Agreement } from '@tributary/contract'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordAcceptance } from '../agreement-acceptances.ts'
import type { PartnerKey } from '../payout-details.ts'

type Acceptance = PartnerKey & { userId: string; agreement: Agreement | null; at: Date }

/** Records that the partner accepted the agreement in force, if there is one. */
export const acceptAgreement = async (tx: Tx, { agreement, ...acceptance }: Acceptance) => {
  const { programId, partnerId, userId, at } = acceptance
  if (!agreement || !(await recordAcceptance(tx, { ...acceptance, version: agreement.version }))) return
  const after = { version: agreement.version }
  const entry = { action: 'program agreement accepted', subject: `partner ${partnerId}`, after, at }
  await recordAudit(tx, { programId, userId, byPartnerId: partnerId, ...entry })
}

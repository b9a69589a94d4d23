import type { PartnerStatus } from '@tributary/contract'
import type { Tx } from '../../database/transaction.ts'
import { partnerStatuses } from '../../money/commissions/partner-status.ts'
import { Refusal } from '../../refusal.ts'
import { lockSaleById } from '../../sales/find-sales.ts'

type PartnerKey = { programId: number; partnerId: number }

/** Share-locks the partner: a suspension waits for the adjustment, or the adjustment sees it. */
export const lockPartner = async (tx: Tx, { programId, partnerId }: PartnerKey): Promise<PartnerStatus> => {
  const status = (await partnerStatuses(tx, { programId, partnerIds: [partnerId], lock: true })).get(partnerId)
  if (!status)
    throw new Refusal('not_found', 'This program has no such partner. Check partnerId.', { field: 'partnerId' })
  return status
}

type SaleKey = { programId: number; saleId: number }

/** Locks the sale, which serializes adjustments, refunds and late credits of it. */
export const lockSaleToAdjust = async (tx: Tx, { programId, saleId }: SaleKey) => {
  const sale = await lockSaleById(tx, { programId, saleId })
  if (!sale)
    throw new Refusal(
      'not_found',
      'This program has no such sale. Check saleId; test sales are not sales and cannot be adjusted.',
      { field: 'saleId' },
    )
  if (sale.voidedAt)
    throw new Refusal(
      'conflict',
      sale.mergedInto === null
        ? 'This sale was merged into a sale of another program. Adjust that one instead.'
        : `This sale was merged into sale ${sale.mergedInto}. Adjust that one instead.`,
      { field: 'saleId' },
    )
  return sale
}

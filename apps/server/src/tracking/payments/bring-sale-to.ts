import type { Tx } from '../../database/transaction.ts'
import { refundedShare } from '../../money/rewards/rewards.ts'
import type { PaymentState } from '../../payments/fold-reports.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { followProcessorRefunds } from '../sales/reverse-for.ts'
import { takeDispute } from '../sales/take-dispute.ts'
import { amendSale } from './amend-sale.ts'
import { creditSaleOfPayment } from './credit-sale-of-payment.ts'
import type { Creditable, Telling } from './creditable.ts'

type Bringing = { sale: Sale; state: PaymentState; creditable: Creditable | null }

/** Brings a sale that is there to what its payment came to: whose it is, its amount, its refunds, its disputes. */
export const bringSaleTo = async (tx: Tx, dependencies: Telling, { sale: found, state, creditable }: Bringing) => {
  const at = dependencies.clock()
  const { paid, refundedGrossCents, refundIds, disputes } = state
  const refundsOf = ({ amountCents }: Sale) => ({
    // Nobody has told what the customer paid: then a refund is taken as one of what the merchant reported.
    refundedCents: refundedShare(amountCents, refundedGrossCents, paid?.grossCents ?? amountCents),
    refundIds,
  })
  const disputesOf = ({ amountCents }: Sale) =>
    disputes.map(({ disputeId, state: status, grossCents }) => ({
      disputeId,
      status,
      disputedCents:
        grossCents === null ? null : refundedShare(amountCents, grossCents, paid?.grossCents ?? amountCents),
    }))
  let sale = found
  // A sale that the merchant reported, of a payment that says nothing about whose it is, is as the merchant reported it.
  if (creditable && creditable.program.id === sale.programId) {
    const amended = await amendSale(tx, dependencies.hashKey, { sale, creditable, refundsOf, disputesOf, at })
    sale = await creditSaleOfPayment(tx, dependencies.hashKey, { sale: amended, creditable, at })
  }
  await followProcessorRefunds(tx, { sale, ...refundsOf(sale), at })
  for (const dispute of disputesOf(sale)) await takeDispute(tx, { sale, ...dispute, at, isFinal: true })
}

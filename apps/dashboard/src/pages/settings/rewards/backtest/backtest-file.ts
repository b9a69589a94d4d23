import type { BacktestBlock } from '@tributary/contract'
import { csvLine } from '@tributary/contract/csv'
import { toDecimal } from '@tributary/contract/currencies'

const COLUMNS = ['partner_id', 'partner', 'currency', 'earned', 'would_have_earned', 'difference']

/** Every partner in every currency, in the format of the other exports. */
export const backtestFile = (blocks: BacktestBlock[]) => {
  const rows = blocks.flatMap(({ currency, partners }) =>
    partners.map(({ partnerId, partnerName, actualCents, proposedCents, differenceCents }) => [
      partnerId,
      partnerName,
      currency,
      ...[actualCents, proposedCents, differenceCents].map((cents) => toDecimal(cents, currency)),
    ]),
  )
  return new Blob([COLUMNS, ...rows].map(csvLine), { type: 'text/csv;charset=utf-8' })
}

import type { CreditSource, SaleRow } from '@tributary/contract'

export const CREDIT_SOURCE_LABELS: Record<CreditSource, string> = {
  click: 'Link',
  code: 'Code',
  manual: 'Manual',
  imported: 'Imported',
}

type Credited = Pick<SaleRow, 'creditedBy' | 'codeId' | 'promotionCode'>

/** "Link", "Code SAM20" or "Manual". A renewal carries no code: its customer's first payment did. Null if not credited. */
export const creditSource = ({ creditedBy, promotionCode }: Credited) => {
  if (!creditedBy) return null
  const label = CREDIT_SOURCE_LABELS[creditedBy]
  return creditedBy === 'code' && promotionCode ? `${label} ${promotionCode}` : label
}

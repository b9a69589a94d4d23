import { decimal } from '../../money/decimal.ts'

type Line = {
  id: number
  payoutId: number
  partnerId: number
  currency: string
  amountCents: number
  name?: string
  email?: string | null
  code?: string
}
type File = { columns: string[]; row: (line: Line) => (string | number | null | undefined)[] }

const reference = ({ payoutId, id }: Line) => `payout-${payoutId}-${id}`

/** The batch as each receiver wants it. Amounts have the decimals of their currency. */
export const PAYOUT_FILES: Record<string, File> = {
  tributary: {
    columns: ['payout_line_id', 'partner_id', 'partner_code', 'name', 'email', 'amount', 'currency'],
    row: (line) => [
      line.id,
      line.partnerId,
      line.code,
      line.name,
      line.email,
      decimal(line.amountCents, line.currency),
      line.currency,
    ],
  },
  // PayPal's mass payment file: recipient, amount, currency, the sender's own ID, a note.
  paypal: {
    columns: ['Email/Phone', 'Amount', 'Currency code', 'Reference ID', 'Note to recipient'],
    row: (line) => [
      line.email,
      decimal(line.amountCents, line.currency),
      line.currency,
      reference(line),
      'Partner commission',
    ],
  },
  // Wise's batch file for recipients that are paid by e-mail.
  wise: {
    columns: [
      'name',
      'recipientEmail',
      'paymentReference',
      'amountCurrency',
      'amount',
      'sourceCurrency',
      'targetCurrency',
      'type',
    ],
    row: (line) => [
      line.name,
      line.email,
      reference(line),
      'source',
      decimal(line.amountCents, line.currency),
      line.currency,
      line.currency,
      'EMAIL',
    ],
  },
}

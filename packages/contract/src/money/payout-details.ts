import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { isIban, looksLikeIban } from './iban.ts'

export const PAYOUT_METHODS = ['paypal', 'wise', 'bank', 'other'] as const

const isAddress = (text: string) => z.email().safeParse(text).success
/** Without an IBAN, an account is a number of at least four digits, possibly with a bank code and other text. */
const isBankAccount = (text: string) => (looksLikeIban(text) ? isIban(text) : /\d.*\d.*\d.*\d/.test(text))

const ACCOUNTS: Record<(typeof PAYOUT_METHODS)[number], { isValid: (account: string) => boolean; message: string }> = {
  paypal: { isValid: isAddress, message: 'must be the email address of your PayPal account' },
  wise: { isValid: isAddress, message: 'must be the email address of your Wise account' },
  bank: {
    isValid: isBankAccount,
    message:
      'must be a valid IBAN (for example DE89 3704 0044 0532 0130 00), or an account number with its bank code if your bank has no IBAN',
  },
  other: { isValid: () => true, message: '' },
}

export const payoutDetailsRequest = z
  .object({
    method: z.enum(PAYOUT_METHODS).describe('How the partner is paid'),
    account: plainText(200).describe('An email address for PayPal and Wise; an IBAN or account number for a bank'),
    holder: plainText(120).describe('Name of the account holder'),
    note: plainText(500).nullable().default(null).describe('A note for the program'),
  })
  .superRefine(({ method, account }, context) => {
    const { isValid, message } = ACCOUNTS[method]
    if (!isValid(account)) context.addIssue({ code: 'custom', path: ['account'], message })
  })
export const payoutDetails = z.strictObject({
  method: z.enum(PAYOUT_METHODS),
  account: z.string(),
  holder: z.string(),
  note: z.string().nullable(),
  updatedAt: timestamp,
  heldUntil: timestamp
    .nullable()
    .describe(
      'Payment files leave the partner out until then, because the details changed recently. Null if they do not',
    ),
})
export type PayoutDetails = z.infer<typeof payoutDetails>

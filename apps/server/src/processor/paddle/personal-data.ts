import { idsIn } from '../personal-data/concerns.ts'
import type { PersonalData } from '../personal-data/redact.ts'

const IDS = ['id', 'customer_id', 'subscription_id', 'transaction_id', 'invoice_id', 'address_id', 'business_id']

/** IDs of one person or one of their purchases; not products or prices. */
const PERSONAL_ID = /^(ctm|sub|txn|inv|adj|add|biz)_[a-z\d]+$/

export const personalData: PersonalData = {
  fields: [
    ...['cardholder_name', 'last4', 'contacts', 'company_number', 'tax_identifier'],
    ...['first_line', 'second_line', 'city', 'region', 'postal_code'],
    ...['additional_information', 'purchase_order_number'],
  ],
  identifying: [
    ...['event_id', 'event_type', 'occurred_at', 'origin', 'action', 'currency_code'],
    ...['transaction_id', 'invoice_id', 'subscription_id', 'customer_id'],
    ...['total', 'tax', 'subtotal', 'grand_total'],
  ],
  isPerson: ({ id }) => /^(ctm|biz)_/.test(String(id)),
  relatedIds: (body) => idsIn(body, { fields: IDS, pattern: PERSONAL_ID }),
}

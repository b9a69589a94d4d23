import { idsIn } from '../personal-data/concerns.ts'
import type { PersonalData } from '../personal-data/redact.ts'

/** IDs of one person or one of their purchases; not products, prices or taxes. */
const PERSONAL_ID = /^(cus|sub|pi|ch|py|in|cs|pm|src|seti|re|dp|du)_\w+$/

const IDS = ['id', 'customer', 'subscription', 'payment_intent', 'charge', 'latest_charge', 'invoice', 'payment_method']

/** In all API versions. */
export const personalData: PersonalData = {
  fields: [
    ...['customer_email_address', 'individual_name', 'verified_name', 'verified_address', 'verified_email'],
    ...['shipping', 'customer_shipping', 'owner', 'individual'],
    ...['address_line1', 'address_line2', 'address_city', 'address_state', 'address_zip', 'customer_tax_ids'],
    // What the customer entered at checkout, and dispute evidence about them.
    ...['custom_fields', 'evidence', 'customer_signature', 'customer_purchase_ip'],
    // Pages that show name and address to anyone with the link.
    ...['receipt_url', 'hosted_invoice_url', 'invoice_pdf'],
  ],
  identifying: [
    ...['api_version', 'account', 'payment_status', 'mode'],
    ...['payment_intent', 'charge', 'latest_charge', 'invoice', 'subscription'],
  ],
  relatedIds: (body) => idsIn(body, { fields: IDS, pattern: PERSONAL_ID }),
}

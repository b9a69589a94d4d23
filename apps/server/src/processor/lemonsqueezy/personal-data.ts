import type { PersonalData } from '../personal-data/redact.ts'
import { objectsIn } from '../personal-data/redact.ts'
import { wholeNumber } from '../translating/fields.ts'

export const personalData: PersonalData = {
  // The pages show name and address to anyone with the link.
  fields: ['urls', 'card_brand', 'card_last_four'],
  identifying: ['event_name', 'identifier', 'billing_reason', 'created_at', 'updated_at', 'total_formatted'],
  // IDs are numbers: only together with the field's name do they name a customer and nothing else.
  relatedIds: (body) => {
    const ids = objectsIn(body).flatMap(({ customer_id }) => wholeNumber(customer_id) ?? [])
    return [...new Set(ids)].map((id) => `"customer_id":${id}`)
  },
}

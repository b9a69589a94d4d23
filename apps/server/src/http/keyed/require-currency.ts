import { saleRequest } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'

/** A currency may be absent; another fault than that has a code of its own. */
export const requireCurrency = (value: unknown) => {
  if (!saleRequest.shape.currency.safeParse(value).success)
    throw new Refusal('invalid_currency', 'currency must be an ISO 4217 code such as USD.', { field: 'currency' })
}

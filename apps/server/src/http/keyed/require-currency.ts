import { saleRequest } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'

/** An invalid currency has its own error code. It may be absent. */
export const requireCurrency = (value: unknown) => {
  if (!saleRequest.shape.currency.safeParse(value).success)
    throw new Refusal('invalid_currency', 'currency must be an ISO 4217 code such as USD.', { field: 'currency' })
}

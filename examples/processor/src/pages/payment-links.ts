import type { Actions } from '../actions.ts'
import { randomId } from '../ids.ts'
import type { PaymentOptions } from '../payment.ts'
import { ProcessorError } from '../processor-error.ts'
import type { App } from '../wire/context.ts'

type LinkOptions = Omit<PaymentOptions, 'name'> & { account: string }
export type PaymentLinks = Map<string, LinkOptions>

/** Other characters or more of them make Stripe ignore the parameter. */
const CLIENT_REFERENCE = /^[\w-]{1,200}$/

/** Pages that open a new checkout for each visitor, without a call from the merchant's server. */
export const paymentLinks = (
  app: App,
  { links, actions, baseUrl }: { links: PaymentLinks; actions: Actions; baseUrl: () => string },
) =>
  app.get('/buy/:id', (c) => {
    const link = links.get(c.req.param('id'))
    if (!link) throw new ProcessorError(404, `No such payment link: '${c.req.param('id')}'`)
    const { account, ...options } = link
    const given = c.req.query('client_reference_id') ?? ''
    const clientReference = CLIENT_REFERENCE.test(given) ? given : null
    const checkout = actions.openCheckout(account, { ...options, clientReference }, (id) => `${baseUrl()}/pay/${id}`)
    return c.redirect(checkout.checkoutUrl ?? '/')
  })

export const addPaymentLink = (links: PaymentLinks, options: LinkOptions) => {
  const id = randomId('plink')
  links.set(id, options)
  return `/buy/${id}`
}

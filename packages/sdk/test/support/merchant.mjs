// Run by package.long.test.ts on Node and Bun, in a project with only the installed package.
import {
  checkoutMetadata,
  clickIdFromCookies,
  Tributary,
  TributaryArgumentError,
  TributaryError,
  TributaryWebhookError,
  verifyWebhook,
} from '@tributary/sdk'
import { clickIdFrom as fromExpress } from '@tributary/sdk/express'
import { clickIdFrom as fromFastify } from '@tributary/sdk/fastify'
import { clickIdFrom as fromHono } from '@tributary/sdk/hono'
import { clickIdFrom as fromNext } from '@tributary/sdk/next'

const { API_KEY: apiKey, CLICK_ID, CUSTOMER: customerExternalId, INVOICE: invoiceId, ...urls } = process.env
const at = (baseUrl) => new Tributary({ apiKey, baseUrl })
const cookie = `service_click_id=${CLICK_ID}`

const thrown = (call) => {
  try {
    return call()
  } catch (error) {
    return error instanceof TributaryArgumentError && error instanceof TypeError ? error.field : error
  }
}
const failed = (promise) =>
  promise.catch((error) => (error instanceof TributaryError ? [error.code, error.status, error.attempts] : error))
const controller = new AbortController()
const { signal } = controller
const aborted = at(urls.HANGING_URL)
  .trackLead({ customerExternalId }, { signal })
  .catch((reason) => reason)
setTimeout(() => controller.abort('given up'), 50)

const forge = () => {
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1614265330', 'webhook-signature': 'v1,forged' }
  try {
    return verifyWebhook('{}', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  } catch (error) {
    return error instanceof TributaryWebhookError ? error.code : error
  }
}

const clickId = clickIdFromCookies(cookie)
const tributary = at(urls.SERVICE_URL)
const sale = { customerExternalId, amount: 4900, invoiceId }
const results = {
  clickIds: [
    clickIdFromCookies(new Headers({ cookie })),
    fromExpress({ headers: { cookie } }),
    fromFastify({ headers: { cookie } }),
    fromHono({ req: { header: () => cookie } }),
    await fromNext(new Request('https://shop.example', { headers: { cookie } })),
  ],
  metadata: checkoutMetadata({ clickId, customerExternalId, programId: 12 }),
  wrong: thrown(() => tributary.trackSale({ ...sale, amount: 49.9 })),
  lead: await tributary.trackLead({ customerExternalId, clickId }),
  sale: await tributary.trackSale(sale),
  again: await tributary.trackSale(sale),
  throughFaults: await at(urls.FAULTY_URL).trackSale(sale),
  refund: await tributary.trackRefund({ invoiceId, amount: 900 }),
  redirected: await failed(at(urls.REDIRECT_URL).trackSale(sale)),
  otherSale: await failed(tributary.trackSale({ ...sale, amount: 1 })),
  timedOut: await failed(at(urls.HANGING_URL).trackSale(sale, { timeoutMs: 20, budgetMs: 20 })),
  aborted: await aborted,
  forged: forge(),
}
console.log(JSON.stringify(results))

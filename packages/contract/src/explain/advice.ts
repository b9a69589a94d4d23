import { type LinkTarget, type Part, say } from './parts.ts'
import type { ReasonCode } from './reasons.ts'

const code = (text: string): Part => ({ type: 'code', text })
const page = (to: LinkTarget, text: string): Part => ({ type: 'link', text, to, id: null })
const SETTINGS = page('settings', 'program settings')
const REVIEW = page('review', 'Commissions › In review')
const CHECK_RESPONSE = 'Check the response that your server received: a 4xx status means nothing was recorded'

/** What the merchant can do next, as parts. Codes without advice need no action. */
export const ADVICE_PARTS: Partial<Record<ReasonCode, Part[]>> = {
  no_metadata: say`Set ${code('service_click_id')}, ${code('service_customer_key')} and ${code('program_id')} in the metadata of the checkout, as shown under Settings › Payment processors.`,
  program_of_others: say`Set ${code('program_id')} in the metadata to a program in the workspace that the processor account is connected to.`,
  sale_other_currency: say`Send sales in the currency that the customer paid in.`,
  lead_provisional: say`Send the lead from your server with your API key, the same ${code('click_id')} and your own ${code('customer_key')}.`,
  customer_unknown: say`Send the customer’s lead from your server, with the value of their ${code('service_click_id')} cookie. If the click was before the sale and within the attribution window, the sale is then credited. You can also credit the sale to a partner manually.`,
  click_not_found: say`Send the value of the ${code('service_click_id')} cookie unchanged, with an API key of the program it belongs to.`,
  click_expired: say`Send leads when customers sign up: a credited lead never expires. You can change the attribution window in the ${SETTINGS}.`,
  no_terms: say`Set reward terms in the ${page('rewards', 'program settings')}. The first terms can also be applied to earlier leads and sales.`,
  no_reward_for_leads: say`Add a ${page('rewards', 'lead reward')} if leads should pay. It applies to leads from then on.`,
  no_reward_for_sales: say`Add a ${page('rewards', 'sale reward')} if sales should pay. It applies to sales from then on.`,
  customer_is_partner: say`Approve or reject the commission under ${REVIEW}.`,
  click_from_ad: say`Approve or reject the commission under ${REVIEW}.`,
  sale_soon_after_click: say`Approve or reject the commission under ${REVIEW}.`,
  many_leads_from_one_visitor: say`Approve or reject the commission under ${REVIEW}.`,
  unverified_customer: say`Send the lead from your server with your API key, the same ${code('customer_key')} and the customer’s ${code('click_id')}, or approve or reject the commission under ${REVIEW}.`,
  partner_suspended: say`Approve or reject the commission under ${REVIEW}. Reinstating the partner does not approve it.`,
  invoice_never_received: say`${CHECK_RESPONSE}. Then send the sale again with this ${code('invoice_id')}.`,
  invoice_only_as_test: say`Send the sale without ${code('additional_data.test_mode')}, or take the payment in live mode.`,
  customer_never_seen: say`${CHECK_RESPONSE}; if the response contains ${code('provisional: true')}, the customer key was not saved. Also check the spelling of the key.`,
  customer_only_as_test: say`Send the lead without ${code('additional_data.test_mode')}, or take the payment in live mode.`,
  click_never_seen: say`Check that the ${code('service_click_id')} cookie belongs to this program. Crawlers and link previews get a click ID too, but their clicks do not count.`,
  click_without_lead: say`Send the lead from your server with this ${code('click_id')} and your own ${code('customer_key')}.`,
  click_expired_without_lead: say`Send leads when customers sign up. A longer attribution window in the ${SETTINGS} helps future clicks.`,
}

/** Instead of the advice for `customer_unknown`, if the payment names no customer whose lead could be reported. */
export const ADVICE_WITHOUT_CUSTOMER = say`The payment names no customer. Set ${code('service_customer_key')} in the metadata of the checkout, as shown under Settings › Payment processors, so that payments can be matched with a lead.`

/** The same as plain sentences. */
export const ADVICE: Partial<Record<ReasonCode, string>> = Object.fromEntries(
  Object.entries(ADVICE_PARTS).map(([reason, parts]) => [
    reason,
    parts.map((part) => ('text' in part ? part.text : '')).join(''),
  ]),
)

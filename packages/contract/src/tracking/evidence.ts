import { z } from 'zod'

/**
 * Parameters that advertising networks add to the address of a page. Facebook adds `fbclid` to links in ordinary posts too.
 * `utm_medium` stands for one of the values that mean paid traffic, such as `cpc`.
 */
export const AD_PARAMETERS = [
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'msclkid',
  'fbclid',
  'ttclid',
  'twclid',
  'li_fat_id',
  'utm_medium',
] as const
export type AdParameter = (typeof AD_PARAMETERS)[number]

/** What a merchant can judge a sale by. It decides nothing unless the program reviews such sales. */
export const saleEvidence = z.strictObject({
  secondsSinceClick: z.int().nullable().describe('From the credited click to the sale; null while it is not credited'),
  adParameters: z
    .array(z.enum(AD_PARAMETERS))
    .describe('Advertising parameters in the address that the credited click led to'),
  fromDataCenter: z
    .boolean()
    .describe('Whether the credited click came from an address in a data center. Needs `ASN_DATABASE`'),
  sameDestinationPartnerIds: z
    .array(z.int())
    .describe('Other partners of the program who have the same payout destination now'),
})
export type SaleEvidence = z.infer<typeof saleEvidence>

export const EVIDENCE_FILTERS = ['ad_click', 'data_center', 'same_destination'] as const

const MAX_SECONDS = 365 * 86_400
export const secondsAfterClick = z.coerce
  .number('must be a number of seconds')
  .int('must be a whole number of seconds')
  .min(1, 'must be at least 1 second')
  .max(MAX_SECONDS, `must be at most ${MAX_SECONDS} seconds`)

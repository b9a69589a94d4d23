import { AD_PARAMETERS, type AdParameter } from '@tributary/contract'

/**
 * What a click keeps for the merchant's judgement, as bits: one for an address in a data center, then one for each advertising
 * parameter, in the order of the contract. Zero for most clicks. Stored, so the order never changes.
 */
export type ClickEvidence = number

export const DATA_CENTER: ClickEvidence = 1
export const bitOf = (parameter: AdParameter): ClickEvidence => 2 << AD_PARAMETERS.indexOf(parameter)

/** Values of `utm_medium` that mean paid traffic. */
const PAID_MEDIUM = /^(cpc|ppc|cpm|cpv|cpa|paid|paid[ _-]?\w+|display|banner|ads?|retargeting|remarketing)$/i

/** Most addresses have none of these names, and reading all parameters takes ten times as long. */
const MAY_HAVE_ADS = /(?:clid|braid|fat_id|utm_medium)=/i

/** The advertising parameters in the query of an address. */
export const adEvidenceIn = (search: string): ClickEvidence => {
  if (!MAY_HAVE_ADS.test(search)) return 0
  let evidence = 0
  for (const [name, value] of new URLSearchParams(search)) {
    const parameter = AD_PARAMETERS.find((known) => known === name.toLowerCase())
    if (!parameter || value === '') continue
    if (parameter !== 'utm_medium' || PAID_MEDIUM.test(value)) evidence |= bitOf(parameter)
  }
  return evidence
}

export const adParametersOf = (evidence: ClickEvidence) =>
  AD_PARAMETERS.filter((parameter) => (evidence & bitOf(parameter)) !== 0)

/** All advertising parameters. */
export const AD_BITS: ClickEvidence = AD_PARAMETERS.reduce((bits, parameter) => bits | bitOf(parameter), 0)

/** Parameters of ads only: Facebook adds `fbclid` to links in ordinary posts too. */
const PAID_BITS: ClickEvidence = AD_BITS & ~bitOf('fbclid')

/** Of a sale: how long after the credited click it was, and what that click kept. */
export type SaleEvidence = { secondsSinceClick: number; clickEvidence: ClickEvidence | null }

type Credited = { clickedAt: Date; linkId: number }
type Sold = { winner: Credited | null; clicks: (Credited & { evidence?: ClickEvidence })[]; soldAt: Date }

/** Null without a credited click. A sale can be earlier than its click by a processor's clock. */
export const evidenceOfSale = ({ winner, clicks, soldAt }: Sold): SaleEvidence | null => {
  if (!winner) return null
  const time = winner.clickedAt.getTime()
  const click = clicks.findLast(({ clickedAt, linkId }) => clickedAt.getTime() === time && linkId === winner.linkId)
  return {
    secondsSinceClick: Math.max(0, Math.floor((soldAt.getTime() - time) / 1000)),
    clickEvidence: click?.evidence ?? null,
  }
}

type ReviewSettings = { reviewAdClicks: boolean; reviewWithinSeconds: number | null }

/** What the program reviews; absent facts do not apply. */
export type EvidenceSuspicions = { clickFromAd?: true; soonAfterClick?: true }

export const suspicionsOf = (
  { reviewAdClicks, reviewWithinSeconds }: ReviewSettings,
  evidence: SaleEvidence | null,
): EvidenceSuspicions => {
  if (!evidence) return {}
  const isAd = reviewAdClicks && ((evidence.clickEvidence ?? 0) & PAID_BITS) !== 0
  const isSoon = reviewWithinSeconds !== null && evidence.secondsSinceClick <= reviewWithinSeconds
  return { ...(isAd && { clickFromAd: true }), ...(isSoon && { soonAfterClick: true }) }
}

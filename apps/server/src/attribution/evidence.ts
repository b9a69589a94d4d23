import { AD_BITS, bitOf, type ClickEvidence } from '@tributary/contract'

/** Parameters of ads only: Facebook adds `fbclid` to links in ordinary posts too. */
const PAID_BITS: ClickEvidence = AD_BITS & ~bitOf('fbclid')

/** Of a sale: how long after the credited click it was, and what that click kept. */
export type SaleEvidence = { secondsSinceClick: number; clickEvidence: ClickEvidence | null }

type Credited = { clickedAt: Date; linkId: number | null }
type Sold = { winner: Credited | null; clicks: (Credited & { evidence?: ClickEvidence })[]; soldAt: Date }

/** Null without a credited click, so also for a sale credited by a code. A sale can be earlier than its click by a processor's clock. */
export const evidenceOfSale = ({ winner, clicks, soldAt }: Sold): SaleEvidence | null => {
  if (!winner || winner.linkId === null) return null
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

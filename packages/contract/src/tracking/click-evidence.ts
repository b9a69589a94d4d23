import { AD_PARAMETERS, type AdParameter } from './evidence.ts'

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
const MAY_HAVE_ADS = /(?:clk?id|braid|fat_id|utm_medium)=/i

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

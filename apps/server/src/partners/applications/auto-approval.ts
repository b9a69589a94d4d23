import type { AutoApproveRules } from '@tributary/contract'

export type ApplicationFacts = {
  /** Hosts of the web addresses that the applicant entered. Unverified. */
  websites: string[]
  /** Of the IP address that the application came from. */
  country: string | null
  email: string
  /** The applicant opened a link that was sent only to the address. Anyone can enter any address. */
  isEmailConfirmed: boolean
}

const isOn = (host: string, domains: string[]) =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))

export const isEmailOn = (email: string, domains: string[]) =>
  isOn(email.toLowerCase().split('@').at(-1) ?? '', domains)

/** Whether an application is approved without a member's decision. An empty condition does not count. */
export const isAutoApproved = (rules: AutoApproveRules | null, facts: ApplicationFacts) => {
  if (!rules) return false
  const { websiteDomains, countries, emailDomains } = rules
  const conditions = [
    { isSet: websiteDomains.length > 0, holds: facts.websites.some((host) => isOn(host, websiteDomains)) },
    { isSet: countries.length > 0, holds: facts.country !== null && countries.includes(facts.country) },
    { isSet: emailDomains.length > 0, holds: facts.isEmailConfirmed && isEmailOn(facts.email, emailDomains) },
  ].filter(({ isSet }) => isSet)
  if (conditions.length === 0) return false
  return rules.match === 'all' ? conditions.every(({ holds }) => holds) : conditions.some(({ holds }) => holds)
}

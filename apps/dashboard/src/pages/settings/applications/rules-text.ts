import type { AutoApproveRules } from '@tributary/contract'

/** The rules as they are typed: lists are separated by commas or spaces. */
export type RulesDraft = {
  isOn: boolean
  match: AutoApproveRules['match']
  websiteDomains: string
  countries: string
  emailDomains: string
}

export const fromRules = (rules: AutoApproveRules | null): RulesDraft => ({
  isOn: rules !== null,
  match: rules?.match ?? 'all',
  websiteDomains: rules?.websiteDomains.join(', ') ?? '',
  countries: rules?.countries.join(', ') ?? '',
  emailDomains: rules?.emailDomains.join(', ') ?? '',
})

const split = (text: string) => text.split(/[\s,;]+/).filter(Boolean)

export const toRules = ({ isOn, match, websiteDomains, countries, emailDomains }: RulesDraft) =>
  isOn
    ? {
        match,
        websiteDomains: split(websiteDomains.toLowerCase()),
        countries: split(countries.toUpperCase()),
        // People write "@example.com" too.
        emailDomains: split(emailDomains.toLowerCase()).map((domain) => domain.replace(/^@/, '')),
      }
    : null

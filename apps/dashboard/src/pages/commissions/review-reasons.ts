const REASONS: Record<string, string> = {
  customer_is_partner: 'the customer seems to be the partner',
  many_leads_from_one_visitor: 'many leads from one visitor',
  unverified_customer: 'only a browser reported the sign-up, and your server has not confirmed it yet',
  partner_suspended: 'the partner was suspended or rejected',
}

/** Why the commission needs a decision. */
export const reviewReasonsText = (reasons: string[]) =>
  reasons.map((reason) => REASONS[reason] ?? reason.replaceAll('_', ' ')).join('; ')

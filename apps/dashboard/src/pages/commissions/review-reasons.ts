const REASONS: Record<string, string> = {
  customer_is_partner: 'the customer appears to be the partner',
  many_leads_from_one_visitor: 'one visitor created many leads',
  unverified_customer: 'only the browser reported the lead and your server has not confirmed it',
  partner_suspended: 'the partner is suspended or rejected',
}

export const reviewReasonsText = (reasons: string[]) =>
  reasons.map((reason) => REASONS[reason] ?? reason.replaceAll('_', ' ')).join('; ')

type Link = { aff: string; partnerId: number | null; destinationUrl: string | null; active: boolean }

/** The audit entry of a new link, by whomever it was made. */
export const creationOf = ({ aff, partnerId, destinationUrl, active }: Link) => ({
  action: 'link created',
  subject: `link ${aff}`,
  after: { aff, partnerId, destinationUrl, active },
})

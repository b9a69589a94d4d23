type Link = { aff: string; partnerId: number | null; destinationUrl: string | null; active: boolean }

/** Audit log entry for a new link. */
export const linkCreatedEntry = ({ aff, partnerId, destinationUrl, active }: Link) => ({
  action: 'link created',
  subject: `link ${aff}`,
  after: { aff, partnerId, destinationUrl, active },
})

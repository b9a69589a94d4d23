/** Audit log entry for an application. */
export const applicationEntry = ({ id, name, email }: { id: number; name: string; email: string | null }) => ({
  action: 'partner applied',
  subject: `partner ${id}`,
  after: { name, email, status: 'pending' },
})

type Link = { aff: string; partnerId: number | null; destinationUrl: string | null; active: boolean }

/** Audit log entry for a new link. */
export const linkCreatedEntry = ({ aff, partnerId, destinationUrl, active }: Link) => ({
  action: 'link created',
  subject: `link ${aff}`,
  after: { aff, partnerId, destinationUrl, active },
})

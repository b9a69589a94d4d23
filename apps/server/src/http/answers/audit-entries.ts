/** Audit log entry for an application. */
export const applicationEntry = ({ id, name, email }: { id: number; name: string; email: string | null }) => ({
  action: 'partner applied',
  subject: `partner ${id}`,
  after: { name, email, status: 'pending' },
})

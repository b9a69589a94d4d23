/** The audit entry of an application. */
export const applicationOf = ({ id, name, email }: { id: number; name: string; email: string | null }) => ({
  action: 'partner applied',
  subject: `partner ${id}`,
  after: { name, email, status: 'pending' },
})

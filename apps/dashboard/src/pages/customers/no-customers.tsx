import { Link } from '@tanstack/react-router'
import { Contact } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { EmptyState } from '~/components/states.tsx'

export const NoCustomers = () => {
  const { program } = useProgram()
  return (
    <EmptyState
      icon={<Contact />}
      title="No customers yet"
      action={
        <Link
          to="/programs/$programId/set-up"
          params={{ programId: String(program.id) }}
          className={buttonClass({ look: 'primary' })}
        >
          Connect lead tracking
        </Link>
      }
    >
      Visitors appear here once your server reports them as leads.
    </EmptyState>
  )
}

import { Link } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { EmptyState } from '~/components/states.tsx'

export const NoEvents = () => {
  const { program } = useProgram()
  return (
    <EmptyState
      icon={<Activity />}
      title="No events yet"
      action={
        <Link
          to="/programs/$programId/set-up"
          params={{ programId: String(program.id) }}
          className={buttonClass({ look: 'primary' })}
        >
          Send a test event
        </Link>
      }
    >
      Clicks, leads and sales appear here as soon as they are recorded. Send a test event from the setup page.
    </EmptyState>
  )
}

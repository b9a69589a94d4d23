import { Link } from '@tanstack/react-router'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'

/** The next step of a program that has paid nobody yet: a new one pays nothing until somebody says what. */
export const ToRewards = () => {
  const { program, may } = useProgram()
  if (!may('payout:manage')) return null
  return (
    <Link
      to="/programs/$programId/settings/rewards"
      params={{ programId: String(program.id) }}
      className={buttonClass({ look: 'primary' })}
    >
      See what is paid
    </Link>
  )
}

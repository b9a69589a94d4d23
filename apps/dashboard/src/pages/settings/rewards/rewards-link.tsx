import { Link } from '@tanstack/react-router'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'

/** Next step for a program without commissions: check what the reward pays. */
export const RewardsLink = () => {
  const { program, may } = useProgram()
  if (!may('payout:manage')) return null
  return (
    <Link
      to="/programs/$programId/settings/rewards"
      params={{ programId: String(program.id) }}
      className={buttonClass({ look: 'primary' })}
    >
      View reward
    </Link>
  )
}

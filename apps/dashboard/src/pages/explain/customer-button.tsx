import { Link } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import { buttonClass } from '~/components/controls/button.tsx'

export const CustomerButton = ({ programId, customerId }: { programId: number; customerId: string }) => (
  <Link
    to="/programs/$programId/sales/customers/$customerId"
    params={{ programId: String(programId), customerId }}
    className={buttonClass()}
  >
    <UserRound aria-hidden /> Customer
  </Link>
)

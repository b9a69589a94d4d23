import { Link } from '@tanstack/react-router'
import { ShoppingBag } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { EmptyState } from '~/components/states.tsx'

export const NoSales = () => {
  const { program } = useProgram()
  const params = { programId: String(program.id) }
  return (
    <EmptyState
      icon={<ShoppingBag />}
      title="No sales yet"
      action={
        <>
          <Link to="/programs/$programId/set-up" params={params} className={buttonClass({ look: 'primary' })}>
            Track sales
          </Link>
          <Link to="/programs/$programId/sales/check-attribution" params={params} className={buttonClass()}>
            Check attribution
          </Link>
        </>
      }
    >
      Sales appear here when your payment processor or server reports them, credited or not.
    </EmptyState>
  )
}

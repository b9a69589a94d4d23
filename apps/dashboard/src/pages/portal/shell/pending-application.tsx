import { Hourglass } from 'lucide-react'
import { Card } from '~/components/card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState } from '~/components/states.tsx'
import { usePartnership } from '../portal-context.ts'
import { TermsCard } from '../terms-card.tsx'

/** Shown until the merchant decides on the application. */
export const PendingApplication = () => {
  const { programName, reward } = usePartnership()
  return (
    <Page title="Your application">
      <Card>
        <EmptyState icon={<Hourglass />} title={`${programName} is reviewing your application`}>
          You don’t need to do anything. Any link you already share keeps working, and what it earns is paid only if you
          are approved. After that, your links, commissions and payouts appear here.
        </EmptyState>
      </Card>
      <TermsCard reward={reward} />
    </Page>
  )
}

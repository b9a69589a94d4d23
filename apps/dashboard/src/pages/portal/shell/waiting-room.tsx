import { Hourglass } from 'lucide-react'
import { Card } from '~/components/card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState } from '~/components/states.tsx'
import { usePartnership } from '../portal-context.ts'
import { TermsCard } from '../terms-card.tsx'

/** Between the application and the merchant's answer. */
export const WaitingRoom = () => {
  const { programName, reward } = usePartnership()
  return (
    <Page title="Your application">
      <Card>
        <EmptyState icon={<Hourglass />} title={`${programName} is reviewing your application`}>
          There is nothing for you to do. Links you already have work: what they earn is held until you are approved.
          Once you are approved, your links and everything that they bring appear here. Come back to this page at any
          time.
        </EmptyState>
      </Card>
      <TermsCard reward={reward} />
    </Page>
  )
}

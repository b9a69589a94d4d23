import { Hourglass } from 'lucide-react'
import { usePortalLinks } from '~/api/portal.ts'
import { Card } from '~/components/card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState } from '~/components/states.tsx'
import { usePartnership } from '../portal-context.ts'
import { TermsCard } from '../terms-card.tsx'

/** Shown until the merchant decides on the application. */
export const PendingApplication = () => {
  const { programId, programName, reward } = usePartnership()
  const isSharing = (usePortalLinks(programId, { sort: '-clicks', pageSize: 1 }).data?.data[0]?.clicks ?? 0) > 0
  return (
    <Page title="Your application">
      <Card>
        <EmptyState icon={<Hourglass />} title={`${programName} is reviewing your application`}>
          You don’t need to do anything. Once you are approved, your links, commissions and payouts appear here.
          {isSharing &&
            ' The links you already share keep working, but what they earn is paid only if you are approved.'}
        </EmptyState>
      </Card>
      <TermsCard reward={reward} />
    </Page>
  )
}

import { PreferencesCard } from '~/components/notifications/preferences-card.tsx'
import { Page } from '~/components/page.tsx'
import { usePartnership } from './portal-context.ts'

export const PortalNotifications = () => {
  const { programId, programName } = usePartnership()
  return (
    <Page title="Notifications" description={`Choose what ${programName} notifies you about.`}>
      <PreferencesCard inbox={{ audience: 'partner', programId }} />
    </Page>
  )
}

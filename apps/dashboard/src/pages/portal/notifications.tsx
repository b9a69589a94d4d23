import type { NotificationKind } from '@tributary/contract'
import { PreferencesCard } from '~/components/notifications/preferences-card.tsx'
import { Page } from '~/components/page.tsx'
import { usePartnership } from './portal-context.ts'

const ABOUT_APPLICATION: NotificationKind[] = ['application_approved', 'application_rejected']

export const PortalNotifications = () => {
  const { programId, programName, status } = usePartnership()
  return (
    <Page title="Notifications" description={`Choose what ${programName} notifies you about.`}>
      <PreferencesCard
        inbox={{ audience: 'partner', programId }}
        hidden={status === 'approved' ? ABOUT_APPLICATION : []}
      />
    </Page>
  )
}

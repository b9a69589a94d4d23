import { useProgram } from '~/app/program-context.ts'
import { PreferencesCard } from '~/components/notifications/preferences-card.tsx'
import { Page } from '~/components/page.tsx'
import { PreviewCard } from './preview-card.tsx'

export const NotificationSettings = () => {
  const { program, may } = useProgram()
  return (
    <Page title="Notifications" description="Choose your notifications and preview this program’s emails.">
      <PreferencesCard inbox={{ audience: 'team', programId: program.id }} />
      {may('program:update') && <PreviewCard />}
    </Page>
  )
}

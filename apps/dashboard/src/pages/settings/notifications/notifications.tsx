import { useProgram } from '~/app/program-context.ts'
import { PreferencesCard } from '~/components/notifications/preferences-card.tsx'
import { Page } from '~/components/page.tsx'
import { PreviewCard } from './preview-card.tsx'

export const NotificationSettings = () => {
  const { program, may } = useProgram()
  return (
    <Page title="Notifications" description="What you hear about this program, and the emails that it sends.">
      <PreferencesCard inbox={{ audience: 'team', programId: program.id }} />
      {may('program:update') && <PreviewCard />}
    </Page>
  )
}

import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { BrandForm } from './brand-form.tsx'
import { LogoSection } from './logo-section.tsx'

export const BrandingSettings = () => {
  const { program, may } = useProgram()
  const branding = useCall('get /api/programs/{programId}/branding', { programId: program.id })
  const disabled = !may('program:update')
  return (
    <Page
      title="Branding"
      description={
        disabled
          ? 'Your role can view these settings but not change them.'
          : 'What partners see in the portal, on the pages where they join and in emails.'
      }
    >
      <QueryView
        query={branding}
        loading={
          <Card className="p-5">
            <Loading>
              <Skeleton className="h-64 w-full" />
            </Loading>
          </Card>
        }
      >
        {(loaded) => (
          <>
            <LogoSection branding={loaded} disabled={disabled} />
            <BrandForm key={program.id} branding={loaded} disabled={disabled} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

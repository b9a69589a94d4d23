import type { ChangeProgram } from '@tributary/contract'
import { useChangeProgram } from '~/api/programs.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/button.tsx'
import { Form, FormError, textOf } from '~/components/form.tsx'
import { Page } from '~/components/page.tsx'
import { toast } from '~/components/toast.tsx'
import { AttributionSection, DetailsSection, PartnersSection, TrackingSection } from './program-sections.tsx'

const FIELDS = ['name', 'currency', 'timezone', 'cookieWindowDays', 'applicationText']

const changeIn = (values: FormData): ChangeProgram => ({
  name: textOf(values, 'name'),
  currency: textOf(values, 'currency'),
  timezone: textOf(values, 'timezone'),
  cookieWindowDays: Number(values.get('cookieWindowDays')),
  attributionModel: textOf(values, 'attributionModel') as NonNullable<ChangeProgram['attributionModel']>,
  leadAuth: textOf(values, 'leadAuth') as NonNullable<ChangeProgram['leadAuth']>,
  paymentTrackingMode: textOf(values, 'paymentTrackingMode') as NonNullable<ChangeProgram['paymentTrackingMode']>,
  partnersCreateLinks: values.get('partnersCreateLinks') === 'on',
  applicationsOpen: values.get('applicationsOpen') === 'on',
  applicationText: textOf(values, 'applicationText') || null,
})

export const ProgramSettings = () => {
  const { program, may } = useProgram()
  const change = useChangeProgram(program.id)
  const mayChange = may('program:update')
  const submit = (values: FormData) =>
    change.mutate(changeIn(values), { onSuccess: () => toast.done('The settings are saved.') })
  const props = { program, error: change.error, disabled: !mayChange }
  return (
    <Page
      title="Program"
      description={
        mayChange ? 'What holds for this program.' : 'What holds for this program. Your role may look, not change.'
      }
    >
      <Form key={program.id} onSubmit={submit} className="flex flex-col gap-5">
        <FormError error={change.error} fields={FIELDS} />
        <DetailsSection {...props} />
        <AttributionSection {...props} />
        <TrackingSection {...props} />
        <PartnersSection {...props} />
        {mayChange && (
          <div className="flex justify-end">
            <Button type="submit" look="primary" busy={change.isPending}>
              Save settings
            </Button>
          </div>
        )}
      </Form>
    </Page>
  )
}

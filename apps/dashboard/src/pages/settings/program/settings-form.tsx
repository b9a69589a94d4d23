import { useQuery } from '@tanstack/react-query'
import type { Program } from '@tributary/contract'
import { Fragment } from 'react'
import { programsQuery } from '~/api/programs.ts'
import { type ProgramContext, useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import { Page } from '~/components/page.tsx'
import { AttributionSection, DetailsSection, PartnersSection, TrackingSection } from './program-sections.tsx'
import { useProgramForm } from './use-program-form.ts'

const FIELDS = [
  'name',
  'websites',
  ...Array.from({ length: 20 }, (_, index) => `websites.${index}`),
  'currency',
  'timezone',
  'cookieWindowDays',
  'attributionModel',
  'leadAuth',
  'paymentTrackingMode',
  'applicationText',
]

export const ProgramSettings = () => {
  const { program, may } = useProgram()
  // The form starts from the current settings.
  useQuery({ ...programsQuery, staleTime: 0 })
  const mayChange = may('program:update')
  return (
    <Page
      title="Program"
      description={
        mayChange ? 'Manage this program’s settings.' : 'Your role can view these settings but not change them.'
      }
    >
      <SettingsForm key={program.id} program={program} may={may} />
    </Page>
  )
}

type FormProps = { program: Program; may: ProgramContext['may'] }

const SettingsForm = ({ program, may }: FormProps) => {
  const mayChange = may('program:update')
  const { change, form, shown, fillCount, isTouched, touch, submit } = useProgramForm(program)
  const props = { program: shown, error: change.error, disabled: !mayChange, may }
  return (
    <Form ref={form} onSubmit={submit} onChange={touch} className="flex flex-col gap-5">
      <Fragment key={fillCount}>
        <DetailsSection {...props} />
        <AttributionSection {...props} />
        <TrackingSection {...props} />
        <PartnersSection {...props} />
      </Fragment>
      <FormError error={change.error} fields={FIELDS} />
      {mayChange && (
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={change.isPending}>
            Save settings
          </Button>
        </div>
      )}
      <Unsaved when={isTouched} />
    </Form>
  )
}

import type { Program } from '@tributary/contract'
import { Fragment } from 'react'
import { useProgramsOfNow } from '~/api/programs.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/button.tsx'
import { Form, FormError } from '~/components/form.tsx'
import { Page } from '~/components/page.tsx'
import { Unsaved } from '~/components/unsaved.tsx'
import { AttributionSection, DetailsSection, PartnersSection, TrackingSection } from './program-sections.tsx'
import { useProgramForm } from './use-program-form.ts'

const FIELDS = [
  'name',
  'websites',
  ...Array.from({ length: 20 }, (_, place) => `websites.${place}`),
  'currency',
  'timezone',
  'cookieWindowDays',
  'applicationText',
]

export const ProgramSettings = () => {
  const { program, may } = useProgram()
  useProgramsOfNow()
  const mayChange = may('program:update')
  return (
    <Page
      title="Program"
      description={
        mayChange ? 'What holds for this program.' : 'What holds for this program. Your role may look, not change.'
      }
    >
      <SettingsForm key={program.id} program={program} mayChange={mayChange} />
    </Page>
  )
}

const SettingsForm = ({ program, mayChange }: { program: Program; mayChange: boolean }) => {
  const { change, form, shown, round, isTouched, touch, submit } = useProgramForm(program)
  const props = { program: shown, error: change.error, disabled: !mayChange }
  return (
    <Form ref={form} onSubmit={submit} onChange={touch} className="flex flex-col gap-5">
      <Fragment key={round}>
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

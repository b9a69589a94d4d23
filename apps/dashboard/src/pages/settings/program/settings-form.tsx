import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { programsQuery } from '~/api/programs.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import type { SettingName } from './program-form.ts'
import type { SectionProps } from './section-props.ts'
import { useProgramForm } from './use-program-form.ts'

const NUMBERED_WEBSITES = Array.from({ length: 20 }, (_, index) => `websites.${index}`)

type Props = {
  /** The settings that `children` has fields for. */
  fields: readonly SettingName[]
  /** The button, on a page with several forms. */
  save?: string
  children: (props: SectionProps) => ReactNode
}

/** A form for some of the program's settings. */
export const ProgramSettingsForm = (props: Props) => {
  const { program } = useProgram()
  // The form starts from the current settings.
  useQuery({ ...programsQuery, staleTime: 0 })
  return <SettingsForm key={program.id} {...props} />
}

const SettingsForm = ({ fields, save = 'Save settings', children }: Props) => {
  const { program, may } = useProgram()
  const mayChange = may('program:update')
  const { change, form, shown, fillCount, isTouched, touch, submit } = useProgramForm(program, fields)
  return (
    <Form ref={form} onSubmit={submit} onChange={touch} className="flex flex-col gap-5">
      <Fragment key={fillCount}>
        {children({ program: shown, error: change.error, disabled: !mayChange, may })}
      </Fragment>
      <FormError error={change.error} fields={[...fields, ...NUMBERED_WEBSITES]} />
      {mayChange && (
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={change.isPending}>
            {save}
          </Button>
        </div>
      )}
      <Unsaved when={isTouched} />
    </Form>
  )
}

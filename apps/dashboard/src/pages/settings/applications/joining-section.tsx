import { useState } from 'react'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { instance } from '~/instance.ts'
import { PROGRAM_LABELS } from '../program/program-labels.ts'
import type { SectionProps } from '../program/section-props.ts'
import { Section } from '../section.tsx'

const hintOf = (isOpen: boolean, isSaved: boolean) => {
  if (!isOpen) return 'The application page is closed. Only partners you add can join.'
  return isSaved ? 'Anyone can apply on the page below.' : 'Once you save, anyone can apply on the page below.'
}

export const JoiningSection = ({ program, error, disabled }: SectionProps) => {
  const applicationUrl = `${instance.portalUrl}/apply/${program.id}`
  const [isOpen, setOpen] = useState(program.applicationsOpen)
  return (
    <Section title="Application page" description="Where people apply to become partners." disabled={disabled}>
      <Switch
        name="applicationsOpen"
        label={PROGRAM_LABELS.applicationsOpen}
        hint={hintOf(isOpen, program.applicationsOpen)}
        checked={isOpen}
        onChange={setOpen}
        disabled={disabled}
      />
      {isOpen && (
        <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 truncate font-mono text-soft text-xs">{applicationUrl}</code>
          <CopyButton text={applicationUrl} label="Copy" look="secondary" />
        </div>
      )}
      <Field
        label={PROGRAM_LABELS.applicationText}
        optional
        hint="Appears on the application page, below the short description from Branding."
        error={fieldError(error, 'applicationText')}
      >
        {(wiring) => (
          <Textarea {...wiring} name="applicationText" maxLength={2000} defaultValue={program.applicationText ?? ''} />
        )}
      </Field>
    </Section>
  )
}

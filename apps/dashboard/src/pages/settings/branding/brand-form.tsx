import type { Branding } from '@tributary/contract'
import { textColorOn } from '@tributary/contract/accent-color'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Section } from '../section.tsx'

const FIELDS = ['displayName', 'description', 'accentColor', 'supportEmail']

type Props = { branding: Branding; disabled: boolean }

export const BrandForm = ({ branding, disabled }: Props) => {
  const { program } = useProgram()
  const save = useChange('put /api/programs/{programId}/branding', { programId: program.id })
  const [isTouched, setTouched] = useState(false)
  const submit = (values: FormData) =>
    save.mutate(
      { body: Object.fromEntries(FIELDS.map((name) => [name, formText(values, name) || null])) },
      {
        onSuccess: () => {
          setTouched(false)
          toast.done('Branding saved.')
        },
      },
    )
  return (
    <Form onSubmit={submit} onChange={() => setTouched(true)} className="flex flex-col gap-5">
      <Section title="Look" description="How partners see your program. Everything is optional." disabled={disabled}>
        <Field
          label="Name"
          optional
          hint={`Partners see “${program.name}” if you leave this empty.`}
          error={fieldError(save.error, 'displayName')}
        >
          {(wiring) => (
            <Input {...wiring} name="displayName" maxLength={120} defaultValue={branding.displayName ?? ''} />
          )}
        </Field>
        <Field
          label="Short description"
          optional
          hint="Appears below the title of the application and invitation pages. At most 280 characters."
          error={fieldError(save.error, 'description')}
        >
          {(wiring) => (
            <Textarea {...wiring} name="description" maxLength={280} defaultValue={branding.description ?? ''} />
          )}
        </Field>
        <ColorField color={branding.accentColor} error={fieldError(save.error, 'accentColor')} />
        <Field
          label="Support email"
          optional
          hint="Where partners can ask for help."
          error={fieldError(save.error, 'supportEmail')}
        >
          {(wiring) => (
            <Input
              {...wiring}
              name="supportEmail"
              type="email"
              maxLength={254}
              defaultValue={branding.supportEmail ?? ''}
            />
          )}
        </Field>
        <FormError error={save.error} fields={FIELDS} />
        {!disabled && (
          <div className="flex justify-end">
            <Button type="submit" look="primary" busy={save.isPending}>
              Save branding
            </Button>
          </div>
        )}
      </Section>
      <Unsaved when={isTouched} />
    </Form>
  )
}

const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text)
const DEFAULT_COLOR = '#0e7490'

/** A text field and the browser's color picker, which has no empty value. */
const ColorField = ({ color, error }: { color: string | null; error: string | null }) => {
  const [text, setText] = useState(color ?? '')
  const shown = isColor(text) ? text : DEFAULT_COLOR
  return (
    <Field
      label="Accent color"
      optional
      hint="Color of buttons, such as #0e7490. Text on it is black or white, whichever is easier to read."
      error={error}
    >
      {(wiring) => (
        <div className="flex items-center gap-2">
          <input
            type="color"
            aria-label="Pick a color"
            value={shown}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            className="h-8 w-10 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-0.5"
          />
          <Input
            {...wiring}
            name="accentColor"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            placeholder={DEFAULT_COLOR}
            pattern="#[0-9a-fA-F]{6}"
            maxLength={7}
            className="max-w-32 font-mono"
          />
          <span
            className="inline-flex h-8 items-center rounded-md px-3 font-medium text-sm"
            style={{ background: shown, color: textColorOn(shown) }}
          >
            Preview
          </span>
        </div>
      )}
    </Field>
  )
}

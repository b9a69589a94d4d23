import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { FileButton } from '~/components/controls/file-button.tsx'
import { Form, FormError, formText } from '~/components/controls/form.tsx'
import { formatCount, formatNumber } from '~/components/format/format.ts'
import { Progress } from '~/components/progress.tsx'
import { GroupSelect } from '../../groups/group-select.tsx'
import { InviteSwitch } from './invite-switch.tsx'
import { LinkPreview } from './link-preview.tsx'
import { type NewPartner, readPartners } from './read-partners.ts'
import { type Outcome, useAddPartners } from './use-add-partners.ts'

/** Each takes up to two calls, and a user may make 1,200 a minute. */
const MAX_PARTNERS = 500

const EXAMPLE = 'Maya Lindqvist, maya@example.com\nBen Ode, ben@example.com, ben'

export const PartnersForm = ({ onAdded }: { onAdded: (outcome: Outcome) => void }) => {
  const { program, may } = useProgram()
  const add = useAddPartners(program.id)
  const [text, setText] = useState('')
  const partners = readPartners(text)
  const [first] = partners
  const isTooLong = partners.length > MAX_PARTNERS
  const submit = (values: FormData) => {
    if (isTooLong || !first) return
    const groupId = Number(formText(values, 'groupId'))
    const isInvited = formText(values, 'invite') === 'on'
    add.mutate({ partners, isInvited, ...(groupId > 0 && { groupId }) }, { onSuccess: onAdded })
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Partners"
        hint={summaryOf(partners)}
        error={isTooLong ? `Add at most ${formatNumber(MAX_PARTNERS)} partners at a time.` : null}
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            name="partners"
            rows={6}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            placeholder={EXAMPLE}
            required
            autoFocus
          />
        )}
      </Field>
      <div className="-mt-2">
        <FileButton accept=".csv,text/csv,text/plain" busy={false} onFile={(file) => void file.text().then(setText)}>
          Choose CSV file
        </FileButton>
      </div>
      {may('payout:manage') && <GroupSelect />}
      <LinkPreview name={first?.name ?? ''} code={first?.code ?? ''} more={partners.length - 1} />
      <InviteSwitch canInvite={partners.some(({ email }) => email !== null)} several />
      {add.progress && <Progress label="Adding partners" progress={add.progress} noun="partners" />}
      <FormError error={add.error} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={add.isPending} disabled={!first || isTooLong}>
          {partners.length > 0 ? `Add ${formatCount(partners.length, 'partner')}` : 'Add partners'}
        </Button>
      </div>
    </Form>
  )
}

const summaryOf = (partners: NewPartner[]) => {
  if (partners.length === 0) return 'One per line: name, email and link code. Email and code are optional.'
  const withEmail = partners.filter(({ email }) => email !== null).length
  return `${formatCount(partners.length, 'partner')}, ${formatNumber(withEmail)} with an email address.`
}

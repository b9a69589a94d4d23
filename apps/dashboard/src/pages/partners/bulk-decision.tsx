import type { PartnerRow } from '@tributary/contract'
import { MAX_DECISION_MESSAGE } from '@tributary/contract/branding-limits'
import { Check, CircleSlash } from 'lucide-react'
import { useState } from 'react'
import { useDecideApplications } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { formatCount } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { instance } from '~/instance.ts'

const DECISIONS = {
  approved: {
    verb: 'Approve',
    icon: Check,
    text: 'They become partners, and what their links have earned can be paid.',
  },
  rejected: {
    verb: 'Reject',
    icon: CircleSlash,
    text: 'Their links stop working, and they are excluded from payouts. An owner or admin can approve them later.',
  },
} as const
type Decision = keyof typeof DECISIONS

type Props = { partners: PartnerRow[]; onDone: () => void }

/** Approves or rejects the selected applications, with a message. */
export const BulkDecision = ({ partners, onDone }: Props) => {
  const { program } = useProgram()
  const decide = useDecideApplications(program.id)
  const [decision, setDecision] = useState<Decision | null>(null)
  const [message, setMessage] = useState('')
  const count = formatCount(partners.length, 'application')
  // The decided rows leave the list, and this component with them, before the callbacks of `mutate` would run.
  const run = async () => {
    if (!decision) return
    const partnerIds = partners.map(({ id }) => id)
    const text = message.trim()
    const done = await decide.mutateAsync({ partnerIds, decision, ...(text && { message: text }) }).catch(() => null)
    // The dialog shows the error.
    if (!done) return
    toast.done(`${formatCount(done.decided.length, 'application')} ${decision}.`)
    setDecision(null)
    setMessage('')
    onDone()
  }
  const { verb, text } = DECISIONS[decision ?? 'approved']
  return (
    <>
      {Object.entries(DECISIONS).map(([name, { verb: label, icon: Icon }]) => (
        <Button key={name} size="small" onClick={() => setDecision(name as Decision)}>
          <Icon aria-hidden /> {label} {count}
        </Button>
      ))}
      <ConfirmDialog
        open={decision !== null}
        onOpenChange={(open) => !open && setDecision(null)}
        title={`${verb} ${count}?`}
        confirm={`${verb} ${partners.length === 1 ? 'application' : 'applications'}`}
        danger={decision === 'rejected'}
        busy={decide.isPending}
        error={decide.error}
        fields={['message']}
        onConfirm={() => void run()}
      >
        <div className="flex flex-col gap-4">
          <p>{text}</p>
          <Field
            label="Message"
            optional
            hint={instance.hasMail ? 'Emailed to each applicant and shown in the portal.' : 'Shown in the portal.'}
            error={fieldError(decide.error, 'message')}
          >
            {(wiring) => (
              <Textarea
                {...wiring}
                value={message}
                maxLength={MAX_DECISION_MESSAGE}
                onChange={({ currentTarget }) => setMessage(currentTarget.value)}
              />
            )}
          </Field>
        </div>
      </ConfirmDialog>
    </>
  )
}

import type { PartnerRow } from '@tributary/contract'
import { MAX_DECISION_MESSAGE } from '@tributary/contract/branding-limits'
import { Ban, Check, CircleSlash, type LucideIcon, Mail, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { type PartnerBulkAction, useBulkPartners } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { formatCount } from '~/components/format/format.ts'
import { BulkProgress, showOutcome } from '~/components/lists/bulk-result.tsx'
import type { Selected } from '~/components/lists/selection.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { instance } from '~/instance.ts'

type Status = PartnerRow['status']

type Action = {
  label: string
  icon: LucideIcon
  /** The action skips partners with another status. */
  from: Status[]
  done: string
  text: string
  danger?: boolean
  hasMessage?: boolean
}

const ACTIONS: Record<PartnerBulkAction, Action> = {
  approve: {
    label: 'Approve',
    icon: Check,
    from: ['pending'],
    done: 'approved',
    hasMessage: true,
    text: 'They become partners, and commissions they have already earned can be paid.',
  },
  reject: {
    label: 'Reject',
    icon: CircleSlash,
    from: ['pending'],
    done: 'rejected',
    hasMessage: true,
    danger: true,
    text: 'Their links still open your site, but new clicks are no longer tracked. They are excluded from payouts. An owner or admin can reinstate them later.',
  },
  suspend: {
    label: 'Suspend',
    icon: Ban,
    from: ['approved'],
    done: 'suspended',
    danger: true,
    text: 'Their links still open your site, but new clicks are no longer tracked. Their new commissions go to review, and they are excluded from payouts until you reinstate them.',
  },
  reinstate: {
    label: 'Reinstate',
    icon: RotateCcw,
    from: ['suspended', 'rejected'],
    done: 'reinstated',
    text: 'New clicks on their links are tracked again, and they are included in payouts. This doesn’t release commissions in review: you still decide on each one.',
  },
  invite: {
    label: 'Invite',
    icon: Mail,
    from: ['approved', 'pending'],
    done: 'invited',
    text: 'Each gets an email with a link to the partner portal, which replaces earlier invitations. Partners who can sign in already are skipped.',
  },
}
const NAMES = Object.keys(ACTIONS) as PartnerBulkAction[]

type Props = { selected: Selected<PartnerRow>; status: string | undefined; onDone: () => void }

/** The statuses among the selected; those of partners who were never on the screen follow from the filter. */
const statusesIn = ({ ids, rows }: Selected<PartnerRow>, filter: string | undefined) => {
  if (rows.length < ids.length) return filter ? [filter] : Object.values(ACTIONS).flatMap(({ from }) => from)
  return rows.map(({ status }) => status)
}

/** Changes the selected partners. */
export const BulkPartners = ({ selected, status, onDone }: Props) => {
  const { program, may } = useProgram()
  const [action, setAction] = useState<PartnerBulkAction | null>(null)
  const [message, setMessage] = useState('')
  const bulk = useBulkPartners(program.id, action)
  const statuses: string[] = statusesIn(selected, status)
  const isOffered = (name: PartnerBulkAction) =>
    ACTIONS[name].from.some((from) => statuses.includes(from)) &&
    (name !== 'reinstate' || may('payout:manage')) &&
    (name !== 'invite' || instance.hasMail)
  const { label, text, done, danger = false, hasMessage = false } = ACTIONS[action ?? 'approve']
  // The changed rows may leave the list, and this component with them, before the callbacks of `mutate` would run.
  const run = async () => {
    if (!action) return
    const input = { action, ...(hasMessage && message.trim() && { message: message.trim() }) }
    const outcome = await bulk.mutateAsync({ ids: selected.ids, input }).catch(() => null)
    // The dialog shows the error.
    if (!outcome) return
    showOutcome(outcome, { noun: 'partner', verb: done })
    setAction(null)
    setMessage('')
    onDone()
  }
  const count = formatCount(selected.ids.length, 'partner')
  return (
    <>
      {NAMES.filter(isOffered).map((name) => {
        const Icon = ACTIONS[name].icon
        return (
          <Button key={name} size="small" onClick={() => setAction(name)}>
            <Icon aria-hidden /> {ACTIONS[name].label}
          </Button>
        )
      })}
      <ConfirmDialog
        open={action !== null}
        onOpenChange={(open) => !open && setAction(null)}
        title={`${label} ${count}?`}
        confirm={`${label} ${selected.ids.length === 1 ? 'partner' : 'partners'}`}
        danger={danger}
        busy={bulk.isPending}
        error={bulk.error}
        fields={['message']}
        onConfirm={() => void run()}
      >
        <div className="flex flex-col gap-4">
          <p>{text}</p>
          {hasMessage && <Message value={message} onChange={setMessage} error={bulk.error} />}
          <BulkProgress progress={bulk.progress} noun="partner" />
        </div>
      </ConfirmDialog>
    </>
  )
}

type MessageProps = { value: string; onChange: (message: string) => void; error: unknown }

const Message = ({ value, onChange, error }: MessageProps) => (
  <Field
    label="Message"
    optional
    hint={instance.hasMail ? 'Emailed to each applicant and shown in the portal.' : 'Shown in the portal.'}
    error={fieldError(error, 'message')}
  >
    {(wiring) => (
      <Textarea
        {...wiring}
        value={value}
        maxLength={MAX_DECISION_MESSAGE}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Field>
)

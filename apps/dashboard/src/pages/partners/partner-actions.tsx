import type { Partner } from '@tributary/contract'
import { Archive, ArchiveRestore, Ban, Check, CircleSlash, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useChangePartner } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { ArchivePartner, useUnarchive } from './archive-partner.tsx'

type Status = Partner['status']

const STEPS = {
  approve: { to: 'approved', label: 'Approve', icon: Check },
  reject: { to: 'rejected', label: 'Reject', icon: CircleSlash },
  suspend: { to: 'suspended', label: 'Suspend', icon: Ban },
  reinstate: { to: 'approved', label: 'Approve again', icon: RotateCcw },
} as const
type Step = keyof typeof STEPS

const STEPS_FROM: Record<Status, Step[]> = {
  pending: ['approve', 'reject'],
  approved: ['suspend'],
  rejected: ['reinstate'],
  suspended: ['reinstate'],
}

const QUESTIONS = {
  reject: [
    'Their links stop working: new clicks are rejected.',
    'New sales of customers they brought earlier are recorded, and the commissions wait in review.',
    'They are left out of payouts. What they earned so far stays in their balance; you can void it.',
    'An owner or admin can approve them later. That does not release commissions in review.',
  ],
  suspend: [
    'Their links stop working: new clicks are rejected.',
    'New sales of customers they brought earlier are recorded, and the commissions wait in review.',
    'They are left out of payouts and payment files. What they earned so far stays in their balance.',
    'An owner or admin can approve them again at any time. That does not release commissions in review.',
  ],
} as const

/** The money of a partner who is approved again goes back into payouts. */
const NEEDS_PAYOUTS: Step[] = ['reinstate']

const isAsked = (step: Step): step is keyof typeof QUESTIONS => step in QUESTIONS

/** The ways from one status to the next. What takes something away asks first. */
export const PartnerActions = ({ partner }: { partner: Partner }) => {
  const { program, may } = useProgram()
  const mayTake = (step: Step) => !NEEDS_PAYOUTS.includes(step) || may('payout:manage')
  const change = useChangePartner(program.id)
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null)
  const [isArchiving, setArchiving] = useState(false)
  const unarchive = useUnarchive(partner)
  const take = (step: Step) =>
    change.mutate(
      { id: partner.id, status: STEPS[step].to },
      {
        onSuccess: ({ status }) => {
          setAsked(null)
          toast.done(`${partner.name} is ${status}.`)
        },
        onError: (error) => !isAsked(step) && toast.failed(error),
      },
    )
  return (
    <>
      <RowMenu label={`Actions for ${partner.name}`}>
        {STEPS_FROM[partner.status].filter(mayTake).map((step) => {
          const { label, icon: Icon } = STEPS[step]
          return (
            <MenuItem key={step} danger={isAsked(step)} onSelect={() => (isAsked(step) ? setAsked(step) : take(step))}>
              <Icon aria-hidden /> {label}
            </MenuItem>
          )
        })}
        {partner.archived ? (
          <MenuItem onSelect={unarchive}>
            <ArchiveRestore aria-hidden /> Unarchive
          </MenuItem>
        ) : (
          <MenuItem danger onSelect={() => setArchiving(true)}>
            <Archive aria-hidden /> Archive
          </MenuItem>
        )}
      </RowMenu>
      <ArchivePartner partner={partner} open={isArchiving} onOpenChange={setArchiving} />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`${asked === 'reject' ? 'Reject' : 'Suspend'} ${partner.name}?`}
        confirm={asked === 'reject' ? 'Reject partner' : 'Suspend partner'}
        danger
        busy={change.isPending}
        error={change.error}
        onConfirm={() => asked && take(asked)}
      >
        <ul className="flex list-disc flex-col gap-1.5 pl-4">
          {asked && QUESTIONS[asked].map((sentence) => <li key={sentence}>{sentence}</li>)}
        </ul>
      </ConfirmDialog>
    </>
  )
}

import type { Partner } from '@tributary/contract'
import { Archive, ArchiveRestore, Ban, Check, CircleSlash, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useChangePartner } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { ArchivePartner, useUnarchive } from './archive-partner.tsx'

type Status = Partner['status']

const ACTIONS = {
  approve: { to: 'approved', label: 'Approve', icon: Check },
  reject: { to: 'rejected', label: 'Reject', icon: CircleSlash },
  suspend: { to: 'suspended', label: 'Suspend', icon: Ban },
  reinstate: { to: 'approved', label: 'Approve again', icon: RotateCcw },
} as const
type Action = keyof typeof ACTIONS

const ACTIONS_FROM: Record<Status, Action[]> = {
  pending: ['approve', 'reject'],
  approved: ['suspend'],
  rejected: ['reinstate'],
  suspended: ['reinstate'],
}

const CONSEQUENCES = {
  reject: [
    'Their links stop working. New clicks are rejected.',
    'Sales from customers they referred earlier are still recorded. The commissions go to review.',
    'They are excluded from payouts. Their balance stays, and you can void commissions.',
    'An owner or admin can approve them later. Commissions in review still need a decision.',
  ],
  suspend: [
    'Their links stop working. New clicks are rejected.',
    'Sales from customers they referred earlier are still recorded. The commissions go to review.',
    'They are excluded from payouts and payment files. Their balance stays.',
    'An owner or admin can approve them again at any time. Commissions in review still need a decision.',
  ],
} as const

/** Reapproving a partner puts their money back into payouts. */
const NEEDS_PAYOUTS: Action[] = ['reinstate']

const needsConfirmation = (action: Action): action is keyof typeof CONSEQUENCES => action in CONSEQUENCES

/** Status changes of a partner. Destructive ones ask first. */
export const PartnerActions = ({ partner }: { partner: Partner }) => {
  const { program, may } = useProgram()
  const isAllowed = (action: Action) => !NEEDS_PAYOUTS.includes(action) || may('payout:manage')
  const change = useChangePartner(program.id)
  const [confirming, setConfirming] = useState<keyof typeof CONSEQUENCES | null>(null)
  const [isArchiving, setArchiving] = useState(false)
  const unarchive = useUnarchive(partner)
  const run = (action: Action) =>
    change.mutate(
      { id: partner.id, status: ACTIONS[action].to },
      {
        onSuccess: ({ status }) => {
          setConfirming(null)
          toast.done(`${partner.name} is ${status}.`)
        },
        onError: (error) => !needsConfirmation(action) && toast.failed(error),
      },
    )
  return (
    <>
      <RowMenu label={`Actions for ${partner.name}`}>
        {ACTIONS_FROM[partner.status].filter(isAllowed).map((action) => {
          const { label, icon: Icon } = ACTIONS[action]
          return (
            <MenuItem
              key={action}
              danger={needsConfirmation(action)}
              onSelect={() => (needsConfirmation(action) ? setConfirming(action) : run(action))}
            >
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
        open={confirming !== null}
        onOpenChange={(open) => !open && setConfirming(null)}
        title={`${confirming === 'reject' ? 'Reject' : 'Suspend'} ${partner.name}?`}
        confirm={confirming === 'reject' ? 'Reject partner' : 'Suspend partner'}
        danger
        busy={change.isPending}
        error={change.error}
        onConfirm={() => confirming && run(confirming)}
      >
        <ul className="flex list-disc flex-col gap-1.5 pl-4">
          {confirming && CONSEQUENCES[confirming].map((sentence) => <li key={sentence}>{sentence}</li>)}
        </ul>
      </ConfirmDialog>
    </>
  )
}

import type { Partner } from '@tributary/contract'
import { Archive, ArchiveRestore, Ban, Check, CircleSlash, RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { ArchivePartner, useUnarchive } from './archive-partner.tsx'

type Status = Partner['status']

const ACTIONS = {
  approve: { to: 'approved', label: 'Approve', done: 'approved', icon: Check, danger: false },
  reject: { to: 'rejected', label: 'Reject', done: 'rejected', icon: CircleSlash, danger: true },
  suspend: { to: 'suspended', label: 'Suspend', done: 'suspended', icon: Ban, danger: true },
  reinstate: { to: 'approved', label: 'Reinstate', done: 'reinstated', icon: RotateCcw, danger: false },
} as const
type Action = keyof typeof ACTIONS

const ACTIONS_FROM: Record<Status, Action[]> = {
  pending: ['approve', 'reject'],
  approved: ['suspend'],
  rejected: ['reinstate'],
  suspended: ['reinstate'],
}

const CONSEQUENCES: Record<Action, string[]> = {
  approve: ['They become a partner, and commissions they have already earned can be paid.'],
  reject: [
    'Their links still open your site, but new clicks are no longer tracked.',
    'Sales from customers they referred earlier are still recorded. The commissions go to review.',
    'They are excluded from payouts. Their balance stays, and you can void commissions.',
    'An owner or admin can reinstate them later. That doesn’t release commissions in review: you still decide on each one.',
  ],
  suspend: [
    'Their links still open your site, but new clicks are no longer tracked.',
    'Sales from customers they referred earlier are still recorded. The commissions go to review.',
    'They are excluded from payouts and payment files. Their balance stays.',
    'An owner or admin can reinstate them at any time. That doesn’t release commissions in review: you still decide on each one.',
  ],
  reinstate: [
    'New clicks on their links are tracked again.',
    'They are included in payouts, with their balance.',
    'This doesn’t release commissions in review: you still decide on each one.',
  ],
}

/** Reinstating a partner puts their money back into payouts. */
const NEEDS_PAYOUTS: Action[] = ['reinstate']

type Props = {
  partner: Partner
  /** Shows the status changes next to the menu instead of in it. */
  withButtons?: boolean
  /** More menu items. */
  children?: ReactNode
}

/** Status changes of a partner. Each asks first. */
export const PartnerActions = ({ partner, withButtons = false, children }: Props) => {
  const { program, may } = useProgram()
  const isAllowed = (action: Action) => !NEEDS_PAYOUTS.includes(action) || may('payout:manage')
  const change = useChange('patch /api/programs/{programId}/partners/{partnerId}', {
    programId: program.id,
    partnerId: partner.id,
  })
  const [confirming, setConfirming] = useState<Action | null>(null)
  const [isArchiving, setArchiving] = useState(false)
  const unarchive = useUnarchive(partner)
  const run = (action: Action) =>
    change.mutate(
      { body: { status: ACTIONS[action].to } },
      {
        onSuccess: () => {
          setConfirming(null)
          toast.done(`${partner.name} was ${ACTIONS[action].done}.`)
        },
      },
    )
  const { label, danger } = ACTIONS[confirming ?? 'approve']
  const changes = ACTIONS_FROM[partner.status].filter(isAllowed).map((action) => {
    const { icon: Icon, ...item } = ACTIONS[action]
    return withButtons ? (
      <Button key={action} {...(!item.danger && { look: 'primary' })} onClick={() => setConfirming(action)}>
        <Icon aria-hidden /> {item.label}
      </Button>
    ) : (
      <MenuItem key={action} danger={item.danger} onSelect={() => setConfirming(action)}>
        <Icon aria-hidden /> {item.label}
      </MenuItem>
    )
  })
  return (
    <>
      {withButtons && changes}
      <RowMenu label={`Actions for ${partner.name}`}>
        {!withButtons && changes}
        {children}
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
        title={`${label} ${partner.name}?`}
        confirm={`${label} partner`}
        danger={danger}
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

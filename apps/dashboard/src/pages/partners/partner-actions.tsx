import type { Partner } from '@tributary/contract'
import { Ban, Check, CircleSlash, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useChangePartner } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/menu.tsx'
import { toast } from '~/components/toast.tsx'

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
  reject: 'Links that they have stop working. They stay in the list and can be approved later.',
  suspend:
    'Their links stop at once: clicks on them are refused. They stay in the list, what they earned stays theirs, and you can approve them again.',
} as const

const isAsked = (step: Step): step is keyof typeof QUESTIONS => step in QUESTIONS

/** The ways from one status to the next. What takes something away asks first. */
export const PartnerActions = ({ partner }: { partner: Partner }) => {
  const { program } = useProgram()
  const change = useChangePartner(program.id)
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null)
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
        {STEPS_FROM[partner.status].map((step) => {
          const { label, icon: Icon } = STEPS[step]
          return (
            <MenuItem key={step} danger={isAsked(step)} onSelect={() => (isAsked(step) ? setAsked(step) : take(step))}>
              <Icon aria-hidden /> {label}
            </MenuItem>
          )
        })}
      </RowMenu>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`${asked === 'reject' ? 'Reject' : 'Suspend'} ${partner.name}?`}
        confirm={asked === 'reject' ? 'Reject' : 'Suspend'}
        danger
        busy={change.isPending}
        error={change.error}
        onConfirm={() => asked && take(asked)}
      >
        {asked && QUESTIONS[asked]}
      </ConfirmDialog>
    </>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import type { PartnerDetail } from '@tributary/contract'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { InvitationLink } from '~/components/invitation-link.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { RoleNote } from '~/components/role-note.tsx'
import { GroupSelect } from '../../groups/group-select.tsx'

/** For partners who cannot sign in yet. */
export const InviteButton = ({ partner }: { partner: PartnerDetail }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <Send aria-hidden /> {partner.invitedUntil ? 'Invite again' : 'Invite to portal'}
      </Button>
      <InvitePartner partner={partner} open={open} onOpenChange={setOpen} />
    </>
  )
}

type Props = { partner: PartnerDetail; open: boolean; onOpenChange: (open: boolean) => void }

/** Creates a portal invitation link, shown once. */
export const InvitePartner = ({ partner, open, onOpenChange }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={
      partner.hasAccount ? `Invite another person to ${partner.name}’s portal` : `Invite ${partner.name} to the portal`
    }
  >
    <InviteForm partner={partner} onDone={() => onOpenChange(false)} />
  </Dialog>
)

const SEES = 'Partners see their links, commissions and payouts, but not your customers.'
const REPLACES = 'The new invitation replaces the open one.'
const WHO_CAN = 'Only owners and admins can do this, because it affects who gets paid.'

/** Why a role without `payout:manage` cannot invite this partner, or null if it can. */
const inviteObstacle = ({ name, email, hasAccount }: PartnerDetail) => {
  if (hasAccount) return `${name} already has portal access, so this would let another person in. ${WHO_CAN}`
  if (email === null) return `${name} has no email address, so you would have to choose one. ${WHO_CAN}`
  return null
}

const InviteForm = ({ partner, onDone }: { partner: PartnerDetail; onDone: () => void }) => {
  const { program, may } = useProgram()
  const mayPay = may('payout:manage')
  const obstacle = mayPay ? null : inviteObstacle(partner)
  const queries = useQueryClient()
  // The response contains the link, this one time.
  const invite = useChange(
    'post /api/programs/{programId}/partners/{partnerId}/invite',
    { programId: program.id, partnerId: partner.id },
    { changes: [], gcTime: 0 },
  )
  const submit = (values: FormData) => {
    const groupId = Number(formText(values, 'groupId'))
    const isMoved = groupId > 0 && groupId !== partner.groupId
    invite.mutate(
      { body: { email: formText(values, 'email'), ...(isMoved && { groupId }) } },
      // Not awaited: the link must not wait for lists.
      { onSuccess: () => void (isMoved && queries.invalidateQueries()) },
    )
  }
  if (invite.data) {
    const terms = `It expires on ${formatDate(invite.data.expiresAt)} and won’t be shown again.`
    return <InvitationLink invitation={invite.data} terms={terms} onDone={onDone} />
  }
  if (obstacle) return <RoleNote>{obstacle}</RoleNote>
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Email"
        hint={partner.invitedUntil && !partner.hasAccount ? `${SEES} ${REPLACES}` : SEES}
        error={fieldError(invite.error, 'email')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="email"
            type="email"
            defaultValue={partner.hasAccount ? '' : (partner.email ?? '')}
            required
            autoFocus
            readOnly={!mayPay}
          />
        )}
      </Field>
      {mayPay && !partner.hasAccount && (
        <GroupSelect
          defaultValue={partner.groupId}
          hint="The group sets the partner’s reward from now on."
          error={fieldError(invite.error, 'groupId')}
        />
      )}
      <FormError error={invite.error} fields={['email', 'groupId']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={invite.isPending}>
          Create invitation
        </Button>
      </div>
    </Form>
  )
}

import { Send } from 'lucide-react'
import { useState } from 'react'
import { type PartnerDetail, useInvitePartner } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { InvitationLink } from '~/components/invitation-link.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { RoleNote } from '~/components/role-note.tsx'

/** A link by which the partner gets an account in the portal. It is shown this once. */
export const InvitePartner = ({ partner }: { partner: PartnerDetail }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Send aria-hidden /> {partner.hasAccount ? 'Invite again' : 'Invite to the portal'}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={`Invite ${partner.name} to the portal`}>
        <InviteForm partner={partner} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

const WHO_CAN = 'Only owners and admins can do that, because it decides who is paid.'

/** Why a role without `payout:manage` cannot invite this partner, or null where it can. */
const obstacleFor = ({ name, email, hasAccount }: PartnerDetail) => {
  if (hasAccount) return `${name} already has a sign-in, so this would add another. ${WHO_CAN}`
  if (email === null) return `${name} has no e-mail address, so you would choose one. ${WHO_CAN}`
  return null
}

const InviteForm = ({ partner, onDone }: { partner: PartnerDetail; onDone: () => void }) => {
  const { program, may } = useProgram()
  const mayPay = may('payout:manage')
  const obstacle = mayPay ? null : obstacleFor(partner)
  const invite = useInvitePartner(program.id, partner.id)
  if (invite.data) {
    const terms = `It works until ${formatDate(invite.data.expiresAt)} and is not shown again.`
    return <InvitationLink invitation={invite.data} terms={terms} onDone={onDone} />
  }
  if (obstacle) return <RoleNote>{obstacle}</RoleNote>
  return (
    <Form onSubmit={(values) => invite.mutate({ email: textOf(values, 'email') })} className="flex flex-col gap-4">
      <Field
        label="E-mail"
        hint="There they see their links, what they earned, and their payouts. Nothing of your customers."
        error={fieldError(invite.error, 'email')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="email"
            type="email"
            defaultValue={partner.email ?? ''}
            required
            autoFocus
            readOnly={!mayPay}
          />
        )}
      </Field>
      <FormError error={invite.error} fields={['email']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={invite.isPending}>
          Create invitation
        </Button>
      </div>
    </Form>
  )
}

import { Switch } from '~/components/controls/switch.tsx'
import { instance } from '~/instance.ts'

const HINT = 'Partners see their links, commissions and payouts there, but not your customers.'

type Props = { canInvite: boolean; several?: boolean }

/** On by default. Without an email address there is no one to invite. */
export const InviteSwitch = ({ canInvite, several = false }: Props) => {
  const who = several ? 'partners with an email address' : 'them'
  const links = several ? 'invitation links' : 'an invitation link'
  const how = instance.hasMail ? `Emails ${who} an invitation.` : `You get ${links} to send.`
  return (
    <Switch
      key={String(canInvite)}
      name="invite"
      label="Invite to the partner portal"
      hint={canInvite ? `${how} ${HINT}` : 'Enter an email address to invite them now, or invite them later.'}
      defaultChecked={canInvite}
      disabled={!canInvite}
    />
  )
}
